// A user in a real browser: signs in, reads the consent page and answers it. As a command, it answers one request, as
// the browser does that an assistant opens. Arguments: the URL that the assistant opens, and an answer as JSON.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM;

export class User {
    static async start(email = 'olena@kovalenko.example') {
        const user = new User();
        user.email = email;
        user.browser = await chromium.launch({ executablePath });
        user.page = await user.browser.newPage({ locale: 'en', ignoreHTTPSErrors: true });
        user.page.setDefaultTimeout(20_000);
        // Browsers also report violations of the content security policy here.
        user.errors = [];
        user.page.on('console', message => message.type() === 'error' && user.errors.push(message.text()));
        user.page.on('pageerror', error => user.errors.push(String(error)));
        return user;
    }

    // Opens an authorization URL and answers. Waits until the browser has arrived at the redirect address, unless no
    // answer is possible. The answer has the button (default: Allow) and the label of the access (default: the widest, which is the last).
    async answer(url, { button = 'Allow', access, client } = {}) {
        const redirectUri = new URL(new URL(url).searchParams.get('redirect_uri'));
        await this.open(url);
        await this.page.getByRole('button', { name: 'Deny' }).waitFor();
        const text = await this.page.getByRole('main').innerText();
        for (const shown of [redirectUri.hostname, this.email, client ?? '']) {
            assert(text.includes(shown), `the consent page does not show ${shown}: ${text}`);
        }
        const choices = this.page.getByRole('radio');
        assert(await choices.first().isChecked(), 'the consent page does not select the least access');
        await (access ? this.page.getByRole('radio', { name: access }) : choices.last()).check();
        const enable = this.page.getByRole('checkbox');
        if (await enable.count()) await enable.check();
        await this.page.getByRole('button', { name: button, exact: true }).click();
        await this.page.waitForURL(arrived => arrived.host === redirectUri.host);
        assert.deepEqual(this.errors, []);
    }

    // Opens a page. If the server asks for a sign-in, signs in, which must lead back to the page.
    async open(url) {
        await this.page.goto(String(url));
        if (new URL(this.page.url()).pathname === '/login') {
            await this.page.getByLabel('E-mail address').fill(this.email);
            await this.page.getByLabel('Password').fill('correct-horse');
            await this.page.getByRole('button', { name: 'Sign in' }).click();
            await this.page.waitForURL(arrived => arrived.pathname !== '/login');
        }
    }

    async close() {
        await this.browser.close();
    }
}

export async function answerOnce(url, { email, ...answer }) {
    const user = await User.start(email);
    try {
        await user.answer(url, answer);
    } finally {
        await user.close();
    }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    await answerOnce(process.argv[2], JSON.parse(process.argv[3]));
}
