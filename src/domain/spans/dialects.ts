import type { SentSpan } from './span.ts';

/** A library whose spans tell of talks with callers, or of what agents do. */
export interface Dialect {
  /** As its makers write it. */
  name: string;
  /** What whoever runs the agent sets so that its spans hold what was said, in a sentence. */
  contents: string;
}

interface Mark {
  dialect: Dialect;
  isOf(span: Marked): boolean;
}

type Marked = Pick<SentSpan, 'scope' | 'attributes' | 'events'>;

const GENAI: Dialect = {
  name: 'OpenTelemetry GenAI',
  contents:
    'Set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true for the agent (SPAN_ONLY with OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental); with OpenLLMetry set TRACELOOP_TRACE_CONTENT=true.',
};

const hasScope =
  (...beginnings: string[]) =>
  ({ scope }: Marked) =>
    beginnings.some((beginning) => scope.startsWith(beginning));

const hasName =
  (...beginnings: string[]) =>
  ({ attributes }: Marked) => {
    for (const name in attributes) if (beginnings.some((beginning) => name.startsWith(beginning))) return true;
    return false;
  };

/** What only spans of one library have, the one that says most first. */
const MARKS: readonly Mark[] = [
  {
    dialect: {
      name: 'LiveKit Agents',
      contents:
        'Set neither LIVEKIT_TELEMETRY_ALLOW_PII=false nor OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=false for the agent, and no allow_pii=False in set_tracer_provider.',
    },
    isOf: (span) => hasScope('livekit')(span) || hasName('lk.')(span),
  },
  {
    dialect: {
      name: 'OpenInference',
      contents:
        'Unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and the other OPENINFERENCE_HIDE_* variables of messages and texts.',
    },
    isOf: (span) => 'openinference.span.kind' in span.attributes || hasScope('openinference')(span),
  },
  {
    dialect: {
      name: 'Pipecat',
      contents:
        'Start the worker with enable_tracing=True, and use a version that writes what it synthesises (not 1.2 to 1.5).',
    },
    isOf: (span) => hasScope('pipecat')(span) || 'turn.number' in span.attributes,
  },
  {
    dialect: {
      name: 'Langfuse',
      contents: 'Set LANGFUSE_OBSERVE_DECORATOR_IO_CAPTURE_ENABLED=true, and give generations their input and output.',
    },
    isOf: (span) => hasScope('langfuse')(span) || 'langfuse.observation.type' in span.attributes,
  },
  {
    dialect: { name: 'LangSmith', contents: 'Unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS.' },
    isOf: (span) => hasScope('langsmith')(span) || 'langsmith.span.kind' in span.attributes,
  },
  {
    dialect: {
      name: 'AI SDK',
      contents: 'Leave recordInputs and recordOutputs of experimental_telemetry on.',
    },
    isOf: (span) => 'ai.operationId' in span.attributes,
  },
  {
    dialect: { name: 'Google ADK', contents: 'Set ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true.' },
    isOf: (span) => hasScope('gcp.vertex.agent')(span) || hasName('gcp.vertex.agent.')(span),
  },
  {
    dialect: { name: 'MLflow', contents: 'Give the spans their inputs and outputs.' },
    isOf: (span) => 'mlflow.spanType' in span.attributes,
  },
  {
    dialect: { name: 'OpenLLMetry', contents: 'Set TRACELOOP_TRACE_CONTENT=true.' },
    isOf: ({ attributes }) => 'traceloop.span.kind' in attributes || 'llm.request.type' in attributes,
  },
  {
    dialect: GENAI,
    isOf: (span) => hasName('gen_ai.')(span) || span.events.some(({ name }) => name.startsWith('gen_ai.')),
  },
];

/** The library that a span tells of a talk for; null where nothing shows that it is of one. */
export const dialectOf = (span: Marked): Dialect | null => MARKS.find(({ isOf }) => isOf(span))?.dialect ?? null;

const byName = new Map(MARKS.map(({ dialect }) => [dialect.name, dialect]));

export const dialectNamed = (name: string): Dialect | null => byName.get(name) ?? null;

/** What a span's maker is called: its library, where it is one that tells of talks, else the name that it gives itself. */
export const libraryOf = (span: Marked): string => dialectOf(span)?.name ?? span.scope;
