"""A typed session of LiveKit Agents, without audio, whose spans go where OTEL_EXPORTER_OTLP_ENDPOINT says.

pip install "livekit-agents[openai]==1.8.9" opentelemetry-exporter-otlp-proto-http==1.45.2
"""

import asyncio

from livekit.agents import Agent, AgentSession, ToolError, function_tool
from livekit.agents.telemetry import set_tracer_provider
from livekit.plugins import openai
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from scripted_model import CALLER, PROMPT, find_table, start_model


class Restaurant(Agent):
    def __init__(self) -> None:
        super().__init__(instructions=PROMPT)

    @function_tool(name="find_table")
    async def find(self, time: str) -> dict:
        """Finds and books a table.

        Args:
            time: When, such as 19:30.
        """
        try:
            return find_table(time)
        except RuntimeError as error:
            raise ToolError(str(error)) from error


async def main() -> None:
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    set_tracer_provider(provider)
    model = openai.LLM(model="scripted", base_url=start_model(), api_key="none")
    async with AgentSession(llm=model) as session:
        await session.start(Restaurant())
        for text in CALLER:
            await session.run(user_input=text)
    await asyncio.to_thread(provider.force_flush)


asyncio.run(main())
