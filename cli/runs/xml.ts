/** An element that is written out: attributes and children in their order; what is undefined is left out. */
export interface Element {
  name: string;
  attributes: Record<string, string | number | undefined>;
  children: (Element | string)[];
}

export function element(
  name: string,
  attributes: Element['attributes'],
  children: (Element | string | null)[] = [],
): Element {
  return { name, attributes, children: children.filter((child) => child !== null) };
}

export function writeXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`;
}

function write({ name, attributes, children }: Element, indent: string): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escape(String(value), true)}"`],
  );
  const start = `${indent}<${name}${given.join('')}`;
  if (children.length === 0) return `${start}/>`;
  const hasText = children.some((child) => typeof child === 'string');
  // Spaces would become part of a text.
  const inside = children.map((child) =>
    typeof child === 'string' ? escape(child, false) : write(child, hasText ? '' : `${indent}  `),
  );
  return hasText ? `${start}>${inside.join('')}</${name}>` : `${start}>\n${inside.join('\n')}\n${indent}</${name}>`;
}

/** Characters that XML 1.0 knows no way to write are left out, and so are those that move a cursor or turn text around. */
const UNWRITABLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string, inAttribute: boolean): string {
  const written = text
    .toWellFormed()
    .replaceAll(UNWRITABLE, '')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/\r\n?/g, '\n');
  // A reader makes one space of these in an attribute, unless they are written as numbers.
  return inAttribute ? written.replaceAll(/[\t\n]/g, (character) => `&#${character.charCodeAt(0)};`) : written;
}
