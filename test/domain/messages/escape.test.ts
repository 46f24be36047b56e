import { describe, expect, test } from 'vitest';
import { escapeHtml, escapeSlack, oneLine } from '../../../src/domain/messages/escape.ts';

describe('one line', () => {
  test.each([
    ['line ends and tabs are spaces', 'a\r\nb\tc\u2028d', 99, 'a b c d'],
    ['spaces around and in a row are one or none', '  a \n\n  b  ', 99, 'a b'],
    ['marks that turn the direction are taken out', 'a\u202eb\u2066c', 99, 'a b c'],
    ['nothing but hidden characters is nothing', '\u200b\u0000\n', 99, ''],
    ['as long as may be it is whole', 'abc', 3, 'abc'],
    ['longer it ends in a sign that there is more', 'abcd', 3, 'ab…'],
    ['signs of two units are one character, and never cut in half', '👍👍👍', 2, '👍…'],
    ['an empty text', '', 1, ''],
  ])('%s', (_, text, most, line) => {
    expect(oneLine(text, most)).toBe(line);
  });
});

describe('what a message quotes', () => {
  test.each([
    ['<script src="x">', '&lt;script src=&quot;x&quot;&gt;'],
    ["it's & that", 'it&#39;s &amp; that'],
    ['&lt;', '&amp;lt;'],
    ['plain', 'plain'],
  ])('is no markup of a page: %s', (text, escaped) => {
    expect(escapeHtml(text)).toBe(escaped);
  });

  test.each([
    ['<!channel> now', '&lt;!channel&gt; now'],
    ['<https://example.com|here>', '&lt;https://example.com|here&gt;'],
    ['&lt;!here&gt;', '&amp;lt;!here&amp;gt;'],
    ['@all', '@\u2060all'],
    ['[Sign in](https://evil.example)', '[Sign in]\u2060(https://evil.example)'],
    ['![x][1]', '![x]\u2060[1]'],
  ])('is no command, link or mention in Slack: %s', (text, escaped) => {
    expect(escapeSlack(text)).toBe(escaped);
  });
});
