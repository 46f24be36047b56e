/** Where an agent sends its calls, and with what. */
interface Sender {
  token: string;
  /** Address that takes spans. */
  traces: string;
  /** Address that takes records of finished calls. */
  records: string;
}

/** What is pasted where an agent runs that sends its calls: settings of its shell, then lines of its program. */
export function senderLines(platform: string, { token, traces, records }: Sender): string[] {
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
