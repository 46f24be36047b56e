import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';

export interface NameServer {
  /** Names that were asked for, in order. */
  asked: string[];
  /** IPv4 addresses of a name; null: it keeps silent. */
  answerWith(script: (name: string, nth: number) => string[] | null): void;
  /** Asks this server and no other, as `net` and `dns.lookup` do it. */
  lookup: LookupFunction;
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const A = 1;
const IN = 1;

/** A name server on 127.0.0.1 that speaks DNS over UDP. Its answers are good for no time, and nothing keeps them. */
export async function startNameServer(): Promise<NameServer> {
  let script: (name: string, nth: number) => string[] | null = () => [];
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readQuestion(query);
    asked.push(name);
    const addresses = script(name, asked.length);
    if (addresses !== null) socket.send(answerTo(query.subarray(0, end), addresses), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    answerWith(next) {
      script = next;
    },
    lookup: (hostname, _options, callback) => {
      resolver.resolve4(hostname, (error, found) => {
        if (error) callback(error, [], 4);
        else
          callback(
            null,
            found.map((address) => ({ address, family: 4 })),
          );
      });
    },
    async close() {
      resolver.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The first question of a message, and where it ends. */
function readQuestion(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 5 };
}

/** @param question the header and the question, as they came. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8);
  const records = addresses.map((address) => {
    const record = Buffer.alloc(16);
    // The name is that of the question.
    record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
    record.writeUInt16BE(A, 2);
    record.writeUInt16BE(IN, 4);
    record.writeUInt16BE(4, 10);
    for (const [at, part] of address.split('.').entries()) record[12 + at] = Number(part);
    return record;
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records]);
}
