import { Migration } from '@mikro-orm/migrations';

/** Agents that send their calls counted as approved, as there was no brief that anybody could have approved; now there is. */
export class Migration20261128125400_briefs_of_sent_calls extends Migration {
  override name = 'Migration20261128125400_briefs_of_sent_calls';

  override up(): void | Promise<void> {
    this.addSql(
      `update "agents" set "setup_status" = 'pending' where "provider" in ('livekit', 'pipecat', 'otel', 'file') and "brief" is null and "setup_status" = 'approved' and not "read_only";`,
    );
  }
}
