/**
 * What a person reads while something starts: one line a step with its time, and progress wherever a step takes
 * longer than two seconds. On a terminal the progress is one line that is rewritten; elsewhere it is a line each time.
 * @typedef {object} Step
 * @property {(text: string) => void} progress What it is doing now.
 * @property {(text: string) => void} done Ends the step with what came out of it.
 * @property {(text: string) => void} failed Ends the step with what went wrong.
 * @property {() => void} dropped Ends the step without a line.
 */

/**
 * @typedef {object} Steps
 * @property {(title: string, options?: { everyMs?: number }) => Step} begin `everyMs`: gap between progress lines where the output is no terminal.
 * @property {(text: string) => void} say A line of its own.
 */

const TITLE_WIDTH = 18;
const FIRST_PROGRESS_MS = 2_000;
/** A line that says what the one before said comes this seldom. */
const STILL_MS = 30_000;
const UNSHOWN = '\0';

/**
 * @param {{ write: (text: string) => unknown, isTTY?: boolean, columns?: number }} output
 * @param {() => number} [now]
 * @returns {Steps}
 */
export function createSteps(output, now = Date.now) {
  /** @type {Set<{ title: string, text: string, startedAt: number, everyMs: number, lastShownAt: number, shownText: string }>} */
  const active = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let liveShown = false;

  const clearLive = () => {
    if (liveShown) output.write('\r\u001b[2K');
    liveShown = false;
  };
  const showLive = () => {
    const waiting = [...active].filter((step) => now() - step.startedAt >= FIRST_PROGRESS_MS);
    clearLive();
    if (waiting.length === 0) return;
    output.write(
      fitting(
        waiting.map((step) => progressText(step, now())),
        Math.max(20, (output.columns || 100) - 1),
      ),
    );
    liveShown = true;
  };
  const showLines = () => {
    for (const step of active) {
      const gapMs = step.text === step.shownText ? Math.max(step.everyMs, STILL_MS) : step.everyMs;
      if (now() - step.lastShownAt < gapMs) continue;
      step.lastShownAt = now();
      step.shownText = step.text;
      output.write(`  ${progressText(step, now())}\n`);
    }
  };
  const tick = () => (output.isTTY ? showLive() : showLines());
  /** @param {string} text */
  const say = (text) => {
    clearLive();
    output.write(`${text}\n`);
    if (output.isTTY) showLive();
  };

  return {
    say,
    begin(title, options = {}) {
      const everyMs = options.everyMs ?? 2_000;
      const step = { title, text: '', startedAt: now(), everyMs, lastShownAt: now(), shownText: UNSHOWN };
      active.add(step);
      timer ??= setInterval(tick, 200).unref();
      /** @param {string | null} line */
      const end = (line) => {
        if (!active.delete(step)) return;
        if (active.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
        clearLive();
        if (line !== null) output.write(`${line}\n`);
        if (output.isTTY) showLive();
      };
      const took = () => seconds(now() - step.startedAt);
      return {
        progress(text) {
          step.text = text;
        },
        done: (text) => end(`  ${title.padEnd(TITLE_WIDTH)} ${text}  (${took()})`),
        failed: (text) => end(`  ${title.padEnd(TITLE_WIDTH)} FAILED: ${text}  (${took()})`),
        dropped: () => end(null),
      };
    },
  };
}

/** As many of them as the line has room for: no figure is cut. @param {string[]} parts @param {number} width @returns {string} */
function fitting(parts, width) {
  let shown = parts.length;
  const text = () =>
    [...parts.slice(0, shown), ...(shown < parts.length ? [`and ${parts.length - shown} more`] : [])].join(' · ');
  while (shown > 1 && text().length > width) shown -= 1;
  const line = text();
  return line.length <= width ? line : `${line.slice(0, line.lastIndexOf(' ', width - 1)).trimEnd()}…`;
}

/** @param {number} ms @returns {string} `0.4 s`, `12 s` or `3 min 05 s`. */
export function seconds(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  if (whole < 120) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** @param {{ title: string, text: string, startedAt: number }} step @param {number} at @returns {string} */
function progressText(step, at) {
  const waited = Math.floor((at - step.startedAt) / 1000);
  return `${step.title}${step.text ? `, ${step.text}` : ''}: ${waited} s`;
}
