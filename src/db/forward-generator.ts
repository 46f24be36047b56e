import { TSMigrationGenerator } from '@mikro-orm/migrations';

/** Writes migrations that only go forward: what a release did is taken back by restoring, never by a guess at its reverse. */
export class ForwardGenerator extends TSMigrationGenerator {
  override generateMigrationFile(className: string, { up }: { up: string[]; down: string[] }): string {
    return super.generateMigrationFile(className, { up, down: [] });
  }
}
