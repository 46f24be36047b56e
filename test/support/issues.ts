import { sql } from 'kysely';
import type { JsonObject } from '../../src/domain/json.ts';
import { newId } from '../../src/ids.ts';
import type { World } from './world.ts';

export interface MadeIssue {
  id: string;
  key: string;
  section: 'fix' | 'improve' | 'not_established' | 'hidden';
  klass: 'technical' | 'flow' | 'content' | 'behaviour';
  status: 'discovered' | 'investigating' | 'fix_deployed' | 'measuring' | 'resolved' | 'regressed';
  source: 'detector' | 'outcome';
  fellOnLive: boolean;
  orderKey: number;
  confirmed: boolean;
  countOnly: boolean;
  withdrawn: boolean;
  downstreamOfId: string | null;
  causeEstablished: boolean;
  volume: number;
  sectionNote: string | null;
  fix: JsonObject | null;
}

let made = 0;

/** Puts an issue on an agent's board as the grouping would leave it. */
export async function makeIssue(world: World, agentId: string, over: Partial<MadeIssue> = {}): Promise<MadeIssue> {
  made += 1;
  const issue: MadeIssue = {
    id: newId(),
    key: `made-${made}`,
    section: 'fix',
    klass: 'technical',
    status: 'discovered',
    source: 'detector',
    fellOnLive: false,
    orderKey: 5,
    confirmed: true,
    countOnly: false,
    withdrawn: false,
    downstreamOfId: null,
    causeEstablished: over.section !== 'not_established',
    volume: 3,
    sectionNote: null,
    fix: null,
    ...over,
  };
  await sql`
    insert into issues (id, workspace_id, agent_id, key, source, code, place_kind, place_id, place_label, klass, lane,
      severity, title, status, count_only, confirmed, withdrawn_at, cause_code, cause_label, cause_established, section,
      section_note, target_kind, target_id, target_label, recommendation, volume, fell_on_live, order_key,
      downstream_of_id, fix)
    select ${issue.id}, workspace_id, id, ${issue.key}, ${issue.source}, 'tool_failed', 'tool', ${issue.key}, 'A place',
      ${issue.klass}, 'integrations', 'high', 'A title', ${issue.status}, ${issue.countOnly}, ${issue.confirmed},
      case when ${issue.withdrawn} then now() end, ${issue.causeEstablished ? 'timeout' : null},
      ${issue.causeEstablished ? 'It timed out' : null}, ${issue.causeEstablished}, ${issue.section},
      ${issue.sectionNote}, 'tool', ${issue.key}, 'A place', 'Change it.', ${issue.volume}, ${issue.fellOnLive},
      ${issue.orderKey}, ${issue.downstreamOfId}, ${issue.fix === null ? null : JSON.stringify(issue.fix)}::jsonb
    from agents where id = ${agentId}
  `.execute(world.database.em().getKysely());
  return issue;
}
