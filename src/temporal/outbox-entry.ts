/** Shapes of what the outbox asks of Temporal; `outbox.ts` has them for each workflow. */

interface Addressed<Workflow extends string> {
  workflow: Workflow;
  workflowId: string;
}

/** Starts a workflow; done as well where one of this id is there. */
export interface StartEntry<Workflow extends string, Input> extends Addressed<Workflow> {
  kind: 'start';
  input: Input;
  /** How long it waits before its first step, unless a signal comes; left out: not at all. */
  startDelay?: '1 day';
}

/** Brings a signal to a workflow, and starts it first where it is missing. */
export interface SignalWithStartEntry<Workflow extends string, Input> extends Addressed<Workflow> {
  kind: 'signalWithStart';
  input: Input;
  signal: string;
  signalArgs: unknown[];
}

/** Brings a signal to an open workflow; where none is open nobody is told. */
export interface SignalEntry<Workflow extends string> extends Addressed<Workflow> {
  kind: 'signal';
  signal: string;
  signalArgs: unknown[];
}

/** Brings an update to an open workflow, under the id of the decision, so that a second delivery counts once. */
export interface UpdateEntry<Workflow extends string> extends Addressed<Workflow> {
  kind: 'update';
  update: string;
  told: { decisionId: string };
}

export type WorkflowEntry<Workflow extends string, Input> =
  | StartEntry<Workflow, Input>
  | SignalWithStartEntry<Workflow, Input>
  | SignalEntry<Workflow>
  | UpdateEntry<Workflow>;
