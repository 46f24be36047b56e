"""A pipeline of Pipecat without audio, whose spans go where OTEL_EXPORTER_OTLP_ENDPOINT says.

pip install "pipecat-ai[openai,tracing]==1.14.0" opentelemetry-exporter-otlp-proto-http==1.45.2
"""

import asyncio
import uuid

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import EndFrame, LLMFullResponseEndFrame, LLMMessagesAppendFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.utils.tracing.setup import setup_tracing
from pipecat.workers.runner import WorkerRunner

from scripted_model import CALLER, PROMPT, find_table, start_model

TIME = {"time": {"type": "string", "description": "When, such as 19:30."}}
TOOL = FunctionSchema(name="find_table", description="Finds and books a table.", properties=TIME, required=["time"])


class Answers(FrameProcessor):
    """Counts answers that ended, so that the caller knows when to speak."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = asyncio.Queue()

    async def process_frame(self, frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMFullResponseEndFrame):
            await self.ended.put(frame)
        await self.push_frame(frame, direction)


async def find(params) -> None:
    try:
        await params.result_callback(find_table(params.arguments["time"]))
    except RuntimeError as error:
        await params.result_callback({"error": str(error)})


async def main() -> None:
    setup_tracing("restaurant", exporter=OTLPSpanExporter())
    settings = OpenAILLMService.Settings(model="scripted", system_instruction=PROMPT)
    model = OpenAILLMService(base_url=start_model(), api_key="none", settings=settings)
    model.register_function("find_table", find)
    context = LLMContextAggregatorPair(LLMContext(tools=ToolsSchema(standard_tools=[TOOL])))
    answers = Answers()
    worker = PipelineWorker(
        Pipeline([context.user(), model, answers, context.assistant()]),
        params=PipelineParams(enable_metrics=True),
        enable_tracing=True,
        conversation_id=str(uuid.uuid4()),
        additional_span_attributes={"caller.number": "+15550100"},
    )
    runner = WorkerRunner(handle_sigint=False)

    async def call() -> None:
        for text in CALLER:
            message = {"role": "user", "content": text}
            await worker.queue_frame(LLMMessagesAppendFrame(messages=[message], run_llm=True))
            for _ in range(1 if "goodbye" in text else 2):
                await answers.ended.get()
            await asyncio.sleep(0.2)
        await worker.queue_frame(EndFrame())

    await asyncio.gather(runner.run(worker), call())
    await asyncio.to_thread(trace.get_tracer_provider().force_flush)


asyncio.run(main())
