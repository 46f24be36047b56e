import protobuf, { type Type } from 'protobufjs';

const LENGTH_DELIMITED = 2;

/**
 * How many fields a request in protobuf holds, down to the innermost: it is read through, and nothing is made of it.
 * Stops counting beyond `most`. @throws for what is no protobuf.
 */
export function countFields(body: Uint8Array, type: Type, most: number): number {
  const reader = protobuf.Reader.create(body);
  const open: { type: Type; end: number }[] = [{ type, end: body.length }];
  let fields = 0;
  for (let at = open.at(-1); at !== undefined && fields <= most; at = open.at(-1)) {
    if (reader.pos >= at.end) {
      open.pop();
      continue;
    }
    fields += 1;
    const tag = reader.uint32();
    const inner = messageOf(at.type, tag);
    if (inner === null) reader.skipType(tag & 7);
    else {
      const length = reader.uint32();
      open.push({ type: inner, end: reader.pos + length });
    }
  }
  return fields;
}

function messageOf(type: Type, tag: number): Type | null {
  if ((tag & 7) !== LENGTH_DELIMITED) return null;
  const inner = type.fieldsById[tag >>> 3]?.resolvedType;
  return inner instanceof protobuf.Type ? inner : null;
}
