import type { TryResult } from '../delivery/outcome.ts';
import { oneLine } from './escape.ts';

/** What went wrong with a mail, as its library tells it. */
export interface MailTrouble {
  /** `EENVELOPE`: a receiver was refused; `EMESSAGE`: the message was; all else is between us and our server. */
  code: string | null;
  /** The server's reply code, such as 550. */
  reply: number | null;
  /** What the server said. */
  said: string;
}

const WORDS_AT_MOST = 160;
const ADDRESSES = /(?:"[^"]{1,64}"|[^\s<>()"]{1,64})@[^\s<>()"':,;]+/g;
const OF_THE_ADDRESS = new Set(['EENVELOPE', 'EMESSAGE']);

/** Only what is said of the address or the message is held against the address: a server that is away says nothing of it. */
export function readMailTrouble({ code, reply, said }: MailTrouble): TryResult {
  const words = oneLine(said.replaceAll(ADDRESSES, '(address)'), WORDS_AT_MOST);
  if (code === null || reply === null || !OF_THE_ADDRESS.has(code)) {
    return { status: null, error: `The mail server could not be used: ${words || code || 'no answer'}.`, isOurs: true };
  }
  const isLasting = reply >= 500;
  const error = isLasting ? 'The address was refused' : 'The mail server asks to try later';
  return { status: reply, refused: `${error}: “${words}”.`, isLasting };
}
