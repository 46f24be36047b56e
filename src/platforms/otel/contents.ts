import type { Json } from '../../domain/json.ts';
import type { SentSpan } from '../../domain/spans/span.ts';
import { kindOf } from './span-kind.ts';

/** Attributes, of spans and of their events, in which libraries write what was said or done. */
const CONTENTS =
  /^(?:gen_ai\.(?:input|output)\.messages|gen_ai\.(?:prompt|completion)(?:\.\d{1,5}\.(?:content|tool_calls\.[\w.]{1,80}))?|gen_ai\.event\.content|llm\.(?:input|output)_messages\.\d{1,5}\.message\.(?:content|contents\.[\w.]{1,80}|tool_calls\.[\w.]{1,80})|(?:input|output)(?:\.value)?|langfuse\.observation\.(?:input|output)|ai\.(?:prompt(?:\.messages)?|response\.(?:text|toolCalls|object))|gcp\.vertex\.agent\.llm_(?:request|response)|traceloop\.entity\.(?:input|output)|mlflow\.span(?:Inputs|Outputs)|context_messages|transcript|text|events|message|content|tool_calls|lk\.(?:pii\.)?(?:user_transcript|response\.text|response\.function_calls|user_input|input_text))$/;
const EMPTY = /^(?:\[\s{0,20}\]|\{\s{0,20}\}|__REDACTED__|\[REDACTED\]|<redacted>|null)?$/i;
/** Spans of which the times alone tell that somebody spoke. */
const SPEECH = /^(?:user_speaking|agent_speaking)$/;

/** Whether a span holds something that was said or done, or when somebody spoke. */
export function holdsContents(span: SentSpan): boolean {
  if (SPEECH.test(span.name) || kindOf(span) === 'tool') return true;
  if (Object.entries(span.attributes).some(isContents)) return true;
  return span.events.some(
    ({ name, attributes }) => name.startsWith('gen_ai.') && Object.entries(attributes).some(isContents),
  );
}

function isContents([name, value]: [string, Json]): boolean {
  if (!CONTENTS.test(name)) return false;
  if (typeof value === 'string') return !EMPTY.test(value.trim());
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Whether a span is of what a model was asked, so that words belong on it; of LiveKit's other spans hold them. */
export const isRequest = (span: SentSpan): boolean => kindOf(span) === 'model' && !span.scope.startsWith('livekit');
