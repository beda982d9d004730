// Reads calendar feeds with a JavaScript library, and prints the occurrences that it computes.
//
// Usage: readers.mjs LIBRARY, where LIBRARY is `ical.js` or `node-ical`. The lines of the input are the answers of the
// example `feeds` of family-api-core. Each line of the output is a list of the form of its `occurrences`.

import { createInterface } from 'node:readline'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'

const day = 86_400_000
const whole = (instant) => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z')

/** Thunderbird's parser. */
function* readIcalJs(text, begin, end) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const components = calendar.getAllSubcomponents('vevent')
  const isChange = (component) => component.hasProperty('recurrence-id')
  const changes = Map.groupBy(components.filter(isChange), (component) => component.getFirstPropertyValue('uid'))
  const moment = (time) => (time.isDate ? time.toString() : whole(time.toUnixTime() * 1000))
  for (const component of components) {
    if (isChange(component)) continue
    const exceptions = changes.get(component.getFirstPropertyValue('uid')) ?? []
    const event = new ICAL.Event(component, { exceptions, strictExceptions: true })
    if (!event.isRecurring()) {
      yield [event.summary, moment(event.startDate), moment(event.endDate)]
      continue
    }
    const iterator = event.iterator()
    for (let next = iterator.next(); next; next = iterator.next()) {
      const { item, startDate, endDate } = event.getOccurrenceDetails(next)
      yield [item.summary, moment(startDate), moment(endDate)]
      // A changed occurrence can move into the days.
      if (next.toUnixTime() * 1000 > end + 15 * day) break
    }
  }
}

function* readNodeIcal(text, begin, end) {
  const date = (value) => `${value.getFullYear()}-${String(value.getMonth() + 1).padStart(2, '0')}-${String(value.getDate()).padStart(2, '0')}`
  for (const event of Object.values(nodeIcal.sync.parseICS(text))) {
    if (event.type !== 'VEVENT') continue
    const instances = nodeIcal.expandRecurringEvent(event, { from: new Date(begin - 15 * day), to: new Date(end + 15 * day) })
    for (const { start, end: stop, summary, isFullDay } of instances) {
      const moment = isFullDay ? date : whole
      yield [summary, moment(start), moment(stop)]
    }
  }
}

const reader = { 'ical.js': readIcalJs, 'node-ical': readNodeIcal }[process.argv[2]]
for await (const line of createInterface({ input: process.stdin })) {
  const { ics, first, last } = JSON.parse(line)
  try {
    const found = [...reader(ics, Date.parse(first), Date.parse(last) + day)].filter(([, start]) => {
      const startDay = start.slice(0, 10)
      return startDay >= first && startDay <= last
    })
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
    found.sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]) || compare(a[2], b[2]))
    console.log(JSON.stringify(found))
  } catch (error) {
    console.log(JSON.stringify({ error: String(error.stack).slice(0, 2000) }))
  }
}
