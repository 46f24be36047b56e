import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findBrowser, openBrowser } from '../support/browser.ts';
import { untilTrue } from '../support/pipeline.ts';
import { say } from '../support/say.ts';
import { untilShown } from '../support/web-pages.ts';
import { startWebSystem } from '../support/web-system.ts';
import { newVisitor, useFirstLink } from '../support/web-visitor.ts';
import { laySite, recordAnswers, walk } from './site/record.ts';

/** `npm run demo:site -- <folder>`: the demo workspace as files for any web server; links in it begin with `#`. */
const BUILT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const PATIENCE_MS = 30_000;
/** For what a page asks once it is there. */
const SETTLE_MS = 300;
const READ_WITHIN_MS = 600_000;

const [folder = 'demo-site'] = process.argv.slice(2);
const browserPath = findBrowser();
if (browserPath === null) throw new Error('Recording the demo needs a browser.');
rmSync(folder, { recursive: true, force: true });
const system = await startWebSystem();
const browser = await openBrowser(browserPath);
try {
  const { page } = await newVisitor(browser);
  page.setDefaultTimeout(PATIENCE_MS);
  await useFirstLink(page, system);
  await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
  await untilRead();
  laySite(BUILT, folder);
  const recorded = recordAnswers(page.context(), system.url, folder);
  const pages = await walk(page, page.url(), async (shown) => {
    await untilShown(shown).catch(() => say(`${shown.url()} is not whole`));
    await shown.waitForTimeout(SETTLE_MS);
    await recorded.settled();
  });
  say(`${folder}: ${pages} pages, ${await recorded.write()} answers`);

  /** Until the demo's calls are read, and its first run and backtests are over. */
  async function untilRead(): Promise<void> {
    await untilTrue(async () => {
      // A token lives for a minute.
      const session = await page.request.post(`${system.url}/app/session`, { headers: { origin: system.url } });
      const { token } = await session.json();
      const answer = await page.request.get(`${system.url}/app/system`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { calls, imports, queues } = await answer.json();
      const waiting = calls.waiting + imports.running + imports.queued;
      return calls.analysed > 0 && waiting === 0 && queues?.every((queue: { waiting: number }) => queue.waiting === 0);
    }, READ_WITHIN_MS);
  }
} finally {
  await browser.close();
  await system.stop();
}
