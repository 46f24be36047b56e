import { Migration } from '@mikro-orm/migrations';

/** How much the spans of a trace hold, so that what is taken of one trace and read at once has a bound. */
export class Migration20261122212000_span_bytes extends Migration {
  override name = 'Migration20261122212000_span_bytes';

  override up(): void {
    this.addSql(`alter table "span_traces" add column "bytes" int not null default 0;`);
  }
}
