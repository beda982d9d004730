// Does what families ask of an assistant, with the official TypeScript clients: each job takes at most three calls after
// the overview. A job knows only the overview and the answers to its own calls. Arguments: the name of the client, and
// the origin of a server with the demo's data. FAMILY_API_TOKEN: a key of mode v1_full.
import assert from 'node:assert/strict';
import { connect } from './official.mjs';

const MAX_CALLS = 3;
const ZONE = 'Europe/Kyiv';

// Returns the day after a number of days.
function day(today, days) {
    const date = new Date(`${today}T12:00:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return date.toISOString().slice(0, 10);
}

// Returns the first day after today that is a weekday: 0 for Sunday.
function next(today, weekday) {
    const ahead = (weekday - new Date(`${today}T12:00:00Z`).getUTCDay() + 7) % 7;
    return day(today, ahead === 0 ? 7 : ahead);
}

// What a family has before the jobs, beside the data of the demo.
async function prepare(call, { today }) {
    const thursday = next(today, 4);
    const event = (title, start, end, assignee) => ({ title, start, end, assignee });
    await call('add_events', {
        events: [
            event('Dentist', `${day(today, 1)}T08:00`, `${day(today, 1)}T08:45`, 'Sofia'),
            event('Swimming gala', `${thursday}T10:30`, `${thursday}T12:00`, 'Sofia'),
            event('Car: to the garage', `${day(today, 1)}T07:00`, `${day(today, 1)}T07:30`, 'Taras'),
            event('Football', `${next(today, 6)}T10:00`, `${next(today, 6)}T12:00`, 'Taras'),
        ],
    });
}

const jobs = {
    async 'Add milk and eggs.'(call) {
        const added = await call('add_shopping_items', { items: [{ name: 'Milk' }, { name: 'Eggs' }] });
        assert.deepEqual(added.data.outcomes.map(outcome => outcome.result), ['unchanged', 'added']);
        assert.match(added.text, /Milk \(2 l\).* on the list/);
    },

    async 'We have the milk and the bread.'(call) {
        const { data } = await call('list_shopping', { list: 'Groceries' });
        const items = data.lists.flatMap(list => list.items);
        const ids = items.filter(item => /milk|bread/i.test(item.name)).map(item => item.id);
        const checked = await call('check_shopping_items', { ids });
        assert.equal(checked.data.changed, 2);
    },

    async 'What is due in the next days, and who does it?'(call, { today }) {
        const { data, text } = await call('list_tasks', { dueFrom: today, dueTo: day(today, 6) });
        const dentist = data.tasks.find(task => task.title === 'Book the dentist for Sofia');
        assert.equal(dentist.assignee, 'Taras');
        assert.match(text, /Book the dentist for Sofia .* for Taras/);
    },

    async "Grandma's birthday is on the 12th of May."(call, { today }, check) {
        const year = Number(today.slice(0, 4)) + 1;
        const birthday = { title: "Grandma's birthday", allDay: true, recurrence: 'FREQ=YEARLY' };
        const days = { start: `${year}-05-12`, end: `${year}-05-12` };
        await call('add_events', { events: [{ ...birthday, ...days }] });
        const later = await check('list_events', { from: `${year + 3}-05-12`, to: `${year + 3}-05-12` });
        assert(later.data.events.some(event => event.title === birthday.title && event.start === `${year + 3}-05-12`));
    },

    async 'Move the dentist to Thursday at ten. Any clashes?'(call, { today }) {
        const thursday = next(today, 4);
        const { data } = await call('list_events', { text: 'dentist' });
        const moved = await call('update_events', { ids: [data.events[0].id], start: `${thursday}T10:00` });
        const [outcome] = moved.data.outcomes;
        assert.match(outcome.start, new RegExp(`^${thursday}T10:00`));
        assert.match(outcome.end, new RegExp(`^${thursday}T10:45`));
        assert.match(moved.text, /Swimming gala/);
    },

    async 'Who has the car tomorrow?'(call, { today }) {
        const { data } = await call('list_events', { text: 'car', from: day(today, 1), to: day(today, 1) });
        assert.deepEqual(data.events.map(event => event.assignee), ['Taras']);
    },

    async 'What does Sofia have on Thursday?'(call, { today }) {
        const thursday = next(today, 4);
        const { data, text } = await call('list_events', { person: 'Sofia', from: thursday, to: thursday });
        const titles = data.events.map(event => event.title);
        assert(titles.includes('Swimming gala') && !titles.includes('Football'), text);
        assert.equal(data.events.find(event => event.title === 'Swimming gala').weekday, 'Thu');
    },

    async 'Read me the whole invitation.'(call, { today }, check) {
        const description = `Dear all,\n${'Bring a cake. '.repeat(800)}`;
        const events = [{ title: 'Reunion', start: day(today, 20), description }];
        await check('add_events', { events });
        const { data } = await call('list_events', { text: 'reunion' });
        assert.equal(data.events[0].descriptionCut, true);
        const { id } = data.events[0];
        const first = await call('get_event', { id });
        const rest = await call('get_event', { id, offset: first.data.nextOffset });
        assert.equal(first.data.description + rest.data.description, description);
    },

    async 'Is anything on the weekend that we are free?'(call, { today }, check) {
        const saturday = next(today, 6);
        await check('add_events', { events: [{ title: 'Village fair', start: saturday }] });
        const { data, text } = await call('find_free_time', { from: saturday, to: saturday });
        assert(data.sameDays.items.some(event => event.title === 'Village fair'), text);
        assert.match(text, /Village fair/);
    },

    async 'No piano next week.'(call, { today }, check) {
        const week = { text: 'piano', from: day(today, 1), to: day(today, 14) };
        const { data } = await call('list_events', week);
        assert.equal(data.events.length, 2);
        await call('delete_events', { ids: [data.events[0].id] });
        const left = await check('list_events', week);
        assert.deepEqual(left.data.events.map(event => event.id), [data.events[1].id]);
    },

    async 'When are we all free on Saturday?'(call, { today }) {
        const saturday = next(today, 6);
        const { data, text } = await call('find_free_time', { from: saturday, to: saturday });
        assert(data.free.items.length > 0, text);
        for (const { start, end } of data.free.items) {
            assert(end.slice(0, 16) <= `${saturday}T10:00` || start.slice(0, 16) >= `${saturday}T12:00`, text);
        }
    },

    async 'Every Monday: the bins.'(call, { today }, check) {
        const monday = next(today, 1);
        const bins = { title: 'Bins', dueDate: monday, recurrence: 'FREQ=WEEKLY;BYDAY=MO' };
        const added = await call('add_tasks', { tasks: [bins] });
        const [{ id }] = added.data.outcomes;
        await call('complete_tasks', { ids: [id] });
        const { data } = await check('get_task', { id });
        assert.equal(data.task.completed, false);
        assert.match(data.task.dueDate, new RegExp(`^${day(monday, 7)}`));
        assert.equal(data.task.dueWeekday, 'Mon');
    },

    async 'What did we get done lately, and what comes in the weeks after the next?'(call, { today }) {
        const done = await call('list_tasks', { doneFrom: day(today, -30) });
        assert.equal(done.data.tasks[0].title, 'Bins', done.text);
        assert(done.data.tasks.every(task => task.completedAt ?? task.lastCompletedAt), done.text);
        const coming = await call('list_tasks', { dueFrom: day(today, 15), dueTo: day(today, 28) });
        const bins = coming.data.tasks.find(task => task.title === 'Bins');
        assert.equal(bins.dueAgain.length, 2, coming.text);
        assert(bins.dueAgain.every(due => due.startsWith('Mon ')), coming.text);
    },

    async 'Move everything that is overdue to Saturday.'(call, { today }, check) {
        const saturday = next(today, 6);
        const late = ['Sweep the yard', 'Call Grandma'].map(title => ({ title, dueDate: day(today, -3) }));
        await check('add_tasks', { tasks: late });
        const { data } = await call('list_tasks', { overdue: true, limit: 100 });
        assert(data.tasks.length >= 2);
        const moved = await call('update_tasks', { ids: data.tasks.map(task => task.id), dueDate: saturday });
        assert.equal(moved.data.changed, data.tasks.length, moved.text);
        const left = await check('list_tasks', { overdue: true });
        assert.deepEqual(left.data.tasks, []);
    },

    async 'Make a board for the holiday with the columns Ideas, Booked and Done.'(call, _, check) {
        const columns = ['Ideas', 'Booked', 'Done'];
        const made = await call('add_containers', { kind: 'board', names: ['Holiday'] });
        const board = made.data.outcomes[0].id;
        await call('add_containers', { kind: 'column', names: columns, board });
        const { data } = await check('get_overview', {});
        const found = data.boards.items.find(({ id }) => id === board);
        assert.deepEqual(found.columns.items.map(column => column.name), columns);
    },

    async "Put the plumber's number on the Wi-Fi note."(call, _, check) {
        const { data } = await call('search_notes', { text: 'wi-fi' });
        const [{ id }] = data.notes;
        const changed = await call('update_notes', { ids: [id], append: 'Plumber: 555 0123' });
        const [outcome] = changed.data.outcomes;
        const { data: note } = await check('get_note', { id });
        assert.equal(note.contentLength, outcome.contentLength);
        assert(outcome.contentLength > outcome.before.content.length);
    },

    async 'Clear what we bought, and make it two litres of oat milk.'(call, _, check) {
        await check('add_shopping_items', { items: [{ name: 'Oat milk', quantity: '1 l' }] });
        const cleared = await call('delete_shopping_items', { list: 'Groceries', checked: true });
        assert(cleared.data.changed >= 3);
        assert(cleared.data.outcomes.every(outcome => outcome.title));
        const { data } = await call('list_shopping', { text: 'oat milk' });
        const [{ id }] = data.lists.flatMap(list => list.items);
        const changed = await call('update_shopping_items', { ids: [id], quantity: '2 l' });
        assert.match(changed.text, /2 l/);
        const ids = cleared.data.outcomes.map(outcome => outcome.id);
        return { cleared: ids, changed: id, before: changed.data.outcomes[0].before };
    },

    async 'Undo what you did.'(call, _, check, { cleared, changed, before }) {
        await call('restore', { kind: 'shopping_item', ids: cleared });
        await call('update_shopping_items', { ids: [changed], ...before });
        const { data } = await check('list_shopping', { list: 'Groceries', includeChecked: true });
        const items = data.lists.flatMap(list => list.items);
        assert(cleared.every(id => items.some(item => item.id === id && item.checked)));
        assert(items.some(item => item.id === changed && item.quantity === '1 l'));
    },
};

const [name, origin] = process.argv.slice(2);
const client = await connect(name, new URL('/api/v1/mcp', origin));

async function check(tool, args) {
    const answer = await client.callTool({ name: tool, arguments: args });
    const text = answer.content.map(part => part.text).join('\n');
    assert(!answer.isError, `${tool} ${JSON.stringify(args)}: ${text}`);
    return { text, data: answer.structuredContent };
}

const overview = (await check('get_overview', {})).data;
assert.equal(overview.timeZone, ZONE);
await prepare(check, overview);
let done;
for (const [sentence, job] of Object.entries(jobs)) {
    let calls = 0;
    const call = (tool, args) => {
        calls += 1;
        return check(tool, args);
    };
    done = await job(call, overview, check, done);
    assert(calls <= MAX_CALLS, `${sentence} takes ${calls} calls`);
}
await client.close();
console.log(`${name}: ${Object.keys(jobs).length} jobs`);
