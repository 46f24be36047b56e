import { createTransport } from 'nodemailer';
import type { TryResult } from '../domain/delivery/outcome.ts';
import { fieldOf } from '../domain/json.ts';
import { readMailTrouble } from '../domain/messages/mail-answer.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Names the message for good: the same message sent twice has the same name. */
  id: string;
  /** The id of the first message on the same problem. */
  beneath: string | null;
}

/** The way to people's mail, over the operator's own server. */
export interface Mailer {
  send(mail: Mail): Promise<TryResult>;
  /** Connects and signs in, and sends nothing. @throws with what the server said */
  check(): Promise<void>;
  close(): void;
}

export interface MailConfig {
  /** `smtp://` or `smtps://`, with user and password where they are needed. */
  url: string;
  from: string;
}

/** @param timeouts shorter ones for tests of slow servers. */
export function createMailer(
  { url, from }: MailConfig,
  timeouts: { connectMs: number; silenceMs: number } = {
    connectMs: CONNECT_TIMEOUT_MS,
    silenceMs: SILENCE_TIMEOUT_MS,
  },
): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = domainOf(from);
  const idOf = (id: string) => `<${id}@${host}>`;
  return {
    async send({ to, subject, text, html, id, beneath }) {
      try {
        const sent = await transport.sendMail({
          from,
          // As an object it is one address, whatever commas it holds.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: idOf(id),
          ...(beneath === null ? {} : { inReplyTo: idOf(beneath), references: [idOf(beneath)] }),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
        return { status: replyOf(sent.response) ?? 250, retryAfterMs: null };
      } catch (error) {
        return readMailTrouble(troubleOf(error));
      }
    },
    async check() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

const replyOf = (response: string) => Number(/^\d{3}/.exec(response)?.[0] ?? Number.NaN) || null;

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'earshot.invalid';
}

function troubleOf(error: unknown) {
  const [code, responseCode, response, message] = ['code', 'responseCode', 'response', 'message'].map((name) =>
    fieldOf(error, name),
  );
  return {
    code: typeof code === 'string' ? code : null,
    reply: typeof responseCode === 'number' ? responseCode : null,
    said: typeof response === 'string' ? response : typeof message === 'string' ? message : '',
  };
}
