import { ConcurrentMigration } from '../src/db/concurrent-migration.ts';

/** Spans of which no call is made are counted by reason, and what names no call is found by its time. */
export class Migration20261128004000_left_spans extends ConcurrentMigration {
  override name = 'Migration20261128004000_left_spans';

  override up(): void {
    this.addSql(`
      alter table "span_traces"
        add column if not exists "loose" boolean not null default false,
        add column if not exists "worded" boolean not null default false,
        add column if not exists "left_spans" jsonb not null default '[]',
        add column if not exists "begin_at" timestamptz(3) null,
        add column if not exists "end_at" timestamptz(3) null;
    `);
    this.addIndex('span_traces_times', 'on "span_traces" ("agent_id", "begin_at")');
  }
}
