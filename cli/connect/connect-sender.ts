import type { AgentResource } from '../../src/contract/agent.ts';
import type { ConnectionResource } from '../../src/contract/connection.ts';
import type { NewIngestToken } from '../../src/contract/ingest-token.ts';
import { PROGRAM } from '../../src/layout.ts';
import type { Session } from '../session.ts';

/** Makes connection, agent and token for calls that are sent, and prints the token once with the lines to paste. */
export async function connectSender(session: Session, platform: string, options: { agent?: string }): Promise<void> {
  const { client, print, json } = session;
  const connection = await client.person<ConnectionResource>('POST', '/app/connections', { platform });
  const name = options.agent ?? platform;
  const agent = await client.person<AgentResource>('POST', '/app/agents', {
    connectionId: connection.id,
    providerAgentId: name,
    name,
  });
  const token = await client.person<NewIngestToken>('POST', `/app/connections/${connection.id}/tokens`, {
    agentId: agent.id,
  });
  if (json) return print.json(token);
  print.line(`Made the agent ${agent.name} (${agent.id}). Its token is shown this once:`);
  print.line();
  for (const line of linesFor(platform, token)) print.line(line);
  print.line();
  print.line(`Calls appear here when they are over: ${PROGRAM} calls --agent ${agent.id}`);
}

function linesFor(platform: string, { token, traces, records }: NewIngestToken): string[] {
  const post = `curl -H "authorization: Bearer ${token}" -H "content-type: application/json" --data @call.json ${records}`;
  if (platform === 'file') return [post];
  const settings = [
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${traces}`,
    `export OTEL_EXPORTER_OTLP_TRACES_HEADERS="authorization=Bearer%20${token}"`,
    'export OTEL_RESOURCE_ATTRIBUTES=service.version=1   # yours: by it versions of the agent are compared',
  ];
  const code = CODE[platform] ?? [];
  return code.length === 0 ? settings : [...settings, '', ...code];
}

/** What the program of the agent needs beside these settings; `docs/platforms.md` has the same lines. */
const CODE: Readonly<Record<string, readonly string[]>> = {
  livekit: [
    '# pip install opentelemetry-exporter-otlp-proto-http; before AgentSession.start:',
    'provider = TracerProvider()',
    'provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))',
    'set_tracer_provider(provider)',
    'ctx.add_shutdown_callback(lambda: asyncio.to_thread(provider.force_flush))',
  ],
  pipecat: [
    '# pip install "pipecat-ai[tracing]" opentelemetry-exporter-otlp-proto-http; once, at the start:',
    'setup_tracing("my-agent", exporter=OTLPSpanExporter())',
    'worker = PipelineWorker(pipeline, params=PipelineParams(enable_metrics=True), enable_tracing=True)',
  ],
};
