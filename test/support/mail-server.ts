import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  from: string;
  /** As they came, names in lower case. */
  headers: Record<string, string>;
  /** Headers and body as they came. */
  raw: string;
}

/** What the server says to a recipient: nothing, where the mail is welcome. */
export type MailAnswer = { code: number; text: string } | 'hang' | null;

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** Asked of each recipient. */
  answerWith(script: (to: string) => MailAnswer): void;
  /** Leaves the next mail without an answer, although it was taken. */
  forgetToAnswer(): void;
  close(): Promise<void>;
}

/** A real SMTP server that takes mail; it takes all of it until a test says otherwise. */
export async function startMailServer(): Promise<MailServer> {
  let script: (to: string) => MailAnswer = () => null;
  let isForgetful = false;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 200,
    onRcptTo({ address }, _session, done) {
      const answer = script(address);
      if (answer === 'hang') return;
      if (answer === null) return done();
      done(Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          from,
          headers: headersOf(raw),
          raw,
        });
        if (!isForgetful) return done();
        isForgetful = false;
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    answerWith(next) {
      script = next;
    },
    forgetToAnswer() {
      isForgetful = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function headersOf(raw: string): Record<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}
