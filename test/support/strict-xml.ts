/** An element as it was read: text is what stands directly in it, entities resolved. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const NAME = /^[A-Za-z_][\w.-]*/;
/** What XML 1.0 allows. */
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads a document of elements, attributes and text, and throws at whatever XML 1.0 does not allow in one. */
export function parseXml(source: string): XmlElement {
  if (!ALLOWED.test(source)) throw new Error('a character that XML does not allow');
  let at = 0;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${source.slice(at, at + 40)}`);
  };
  const take = (pattern: RegExp, what: string): string => {
    const found = pattern.exec(source.slice(at))?.[0] ?? fail(what);
    at += found.length;
    return found;
  };
  const resolve = (text: string): string => {
    if (text.includes('<')) fail('a < in a text');
    return text.replaceAll(/&(#x?[0-9a-fA-F]+|\w*)(;?)/g, (_all, name: string, end: string) => {
      if (end === '') fail('a bare &');
      if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
      if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
      return ENTITIES[name] ?? fail(`the entity ${name}`);
    });
  };
  const readElement = (): XmlElement => {
    take(/^</, 'an element');
    const element: XmlElement = { name: take(NAME, 'a name'), attributes: {}, children: [], text: '' };
    while (/^\s+[A-Za-z_]/.test(source.slice(at))) {
      take(/^\s+/, 'a space');
      const key = take(NAME, 'an attribute');
      if (key in element.attributes) fail(`a second ${key}`);
      element.attributes[key] = resolve(take(/^="[^"]*"/, 'a value').slice(2, -1));
    }
    if (/^\s*\/>/.test(source.slice(at))) {
      take(/^\s*\/>/, 'an end');
      return element;
    }
    take(/^\s*>/, 'the end of a tag');
    for (;;) {
      element.text += resolve(take(/^[^<]*/, 'text'));
      if (source.startsWith('</', at)) break;
      element.children.push(readElement());
    }
    take(/^<\//, 'an end tag');
    if (take(NAME, 'a name') !== element.name) fail(`not the end of ${element.name}`);
    take(/^\s*>/, 'the end of a tag');
    return element;
  };
  take(/^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/, 'the declaration');
  const root = readElement();
  if (source.slice(at).trim() !== '') fail('something after the root');
  return root;
}

export const childrenOf = (element: XmlElement, name: string) => element.children.filter((each) => each.name === name);
