import type { ReactNode } from 'react';
import type { Schemas } from '../../client/api.ts';
import { DASH, percent, smallUsd, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { ExternalLink, TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';

type Call = Schemas['CallWithTranscript'];

const READING_STATES: Record<NonNullable<Call['modelReading']>['state'], string> = {
  waiting: 'Waits to be read',
  read: 'Read',
  given_up: 'Not read',
  left: 'Outside of the share that is read',
};

interface CallFactsProps {
  call: Call;
  observations: Schemas['Observation'][] | null;
}

/** How it ended and why that is believed, and what the platform said about itself. */
export function CallFacts({ call, observations }: CallFactsProps) {
  const agent = useAgent();
  const { outcome, outcomeReason, handOff, intent, caller, disconnectionReason, direction, counts, traces } = call;
  const { answeredBy, modelReading, warnings } = call;
  return (
    <>
      <section aria-label="Outcome">
        <h2 className="mb-2 font-semibold">Outcome</h2>
        <Panel className="p-3 text-sm">
          <p className="font-medium">{outcome === null ? 'Nobody can know how it ended' : words(outcome)}</p>
          {outcomeReason && (
            <>
              <p className="mt-1">{outcomeReason.text}</p>
              {outcome !== null && (
                <p className="mt-1 text-xs text-ink-2">
                  Outcomes by this rule are right in {percent(outcomeReason.confidence)} of labeled calls.
                </p>
              )}
            </>
          )}
          {handOff && <p className="mt-2">Handed over: {handOff.text}</p>}
        </Panel>
      </section>
      <section aria-label="About the call">
        <h2 className="mb-2 font-semibold">About the call</h2>
        <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-1 text-sm">
          <Fact name="Intent">{intent.label}</Fact>
          <Fact name="Caller">
            {words(caller.kind)}
            {caller.of > 1 && `, call ${caller.nth} of ${caller.of}`}
          </Fact>
          {answeredBy && (
            <Fact name="Answered by">
              {[...answeredBy.before, answeredBy].map(({ value }) => words(value)).join(', then ')}
            </Fact>
          )}
          {modelReading && (
            <Fact name="Model">
              {READING_STATES[modelReading.state]}
              {modelReading.model !== null && ` by ${modelReading.model} for ${smallUsd(modelReading.usd)}`}
              {modelReading.reason !== null && `. ${modelReading.reason}`}
            </Fact>
          )}
          <Fact name="Direction">{words(direction)}</Fact>
          <Fact name="End reason">{disconnectionReason || DASH}</Fact>
          <Fact name="Turns">
            {counts.callerTurns} caller, {counts.agentTurns} agent
          </Fact>
          <Fact name="Tool failures">{counts.toolFailures}</Fact>
          {warnings.map((warning) => (
            <Fact key={warning} name="Noted">
              {warning}
            </Fact>
          ))}
          {traces.map(({ id, url }) => (
            <Fact key={id} name="Trace">
              {url === null ? id : <ExternalLink href={url}>{id}</ExternalLink>}
            </Fact>
          ))}
        </dl>
        {!agent.readOnly && (
          <p className="mt-2 text-sm">
            <TextLink to="/a/$agentId/erasures" params={{ agentId: agent.id }} search={{ callId: call.id }}>
              Erase this call…
            </TextLink>
          </p>
        )}
      </section>
      {observations && observations.length > 0 && (
        <section aria-label="Observations">
          <h2 className="mb-2 font-semibold">Observations</h2>
          <ul className="space-y-2 text-sm">
            {observations.map(({ rule, label, detail, turnIndex, basis }) => (
              <li key={`${rule} ${turnIndex}`}>
                <p>{label}</p>
                <p className="text-xs break-words text-ink-2">
                  {detail} · {words(basis)}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="break-words">{children}</dd>
    </>
  );
}
