/** Control characters, line ends among them, and marks that turn the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** One line of so many characters at most, in which nothing hides. */
export function oneLine(text: string, most: number): string {
  const line = [...text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()];
  return line.length <= most ? line.join('') : `${line.slice(0, most - 1).join('')}…`;
}

/** What a name may hold in a subject: no dot, slash or @, of which mail programs make links and addresses. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} '’()×%#&+_-]+/gu;

/** Words that people or calls gave, so that they are a name and nothing else in a line that programs read. */
export const asName = (text: string, most: number) => oneLine(text.replace(NOT_IN_NAMES, ' '), most);

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** For Slack's markup: no link, no mention and no command such as `<!channel>` can come of it. */
export function escapeSlack(text: string): string {
  const inert = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // Receivers that imitate Slack take a bare @ for a mention and [words](address) for a link: an invisible joiner breaks both.
  return inert.replaceAll(/@|\](?=[([:])/g, '$&\u2060');
}
