import type { Analyser } from '../src/analyser/analyser.ts';
import type { Database } from '../src/db/database.ts';
import type { Models } from '../src/models/registry.ts';
import type { Mailer } from '../src/outbound/mailer.ts';
import type { Outbound } from '../src/outbound/outbound.ts';
import type { RecordingSource } from '../src/platforms/recordings.ts';
import type { PlatformRegistry } from '../src/platforms/registry.ts';
import type { Vault } from '../src/secrets.ts';
import type { Listener } from '../src/sound/hear.ts';
import type { Patience } from '../src/temporal/import-calls.ts';

/** What the activities stand on; made once a process in `worker.ts`. */
export interface ActivityDeps {
  database: Database;
  vault: Vault;
  platforms: PlatformRegistry;
  analyser: Analyser;
  models: Models;
  /** Where platforms keep the recordings of calls. */
  recordings: RecordingSource;
  /** Measures recordings, in a process of its own. */
  listener: Listener;
  /** The way to the addresses of webhooks and of Slack, on which no origin is trusted. */
  receivers: Outbound;
  /** The way to people's mail; null where the operator set up none. */
  mailer: Mailer | null;
  /** Domains that mail may go to beside addresses that members proved; `*`: any. */
  mailDomains: readonly string[];
  /** Origin under which people reach this instance, for links in messages. */
  publicUrl: string;
  /** Whether others reach us under it: it was named by the operator. */
  isNamed: boolean;
  /** Simulated calls played at the same time. */
  conversationSlots: number;
  /** MiB of calls that a workspace keeps at most, where it has no number of its own; null: no bound. */
  storageMib: number | null;
  /** Requests that a platform account is asked at most, whoever asks; null: no bound. */
  requestsASecond: number | null;
  patience: Patience;
}
