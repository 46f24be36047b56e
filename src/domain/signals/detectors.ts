import { CATALOGUE } from './catalogue.ts';
import type { Detector } from './catalogue-entry.ts';
import { agentAskedToRepeat } from './detectors/agent-asked-to-repeat.ts';
import { agentHungUpEarly } from './detectors/agent-hung-up-early.ts';
import { agentInterruptsCaller } from './detectors/agent-interrupts-caller.ts';
import { agentRepeatsLine } from './detectors/agent-repeats-line.ts';
import { callerAbusive } from './detectors/caller-abusive.ts';
import { callerDidNotFollow } from './detectors/caller-did-not-follow.ts';
import { callerLeftMidTask } from './detectors/caller-left-mid-task.ts';
import { callerNeverHeard } from './detectors/caller-never-heard.ts';
import { callerRepeatedSelf } from './detectors/caller-repeated-self.ts';
import { claimedAfterFailure } from './detectors/claimed-after-failure.ts';
import { claimedWithoutTool } from './detectors/claimed-without-tool.ts';
import { closingMissing } from './detectors/closing-missing.ts';
import { correctionNotApplied } from './detectors/correction-not-applied.ts';
import { deadAir } from './detectors/dead-air.ts';
import { factContradictsSource } from './detectors/fact-contradicts-source.ts';
import { falseBargeIn } from './detectors/false-barge-in.ts';
import { fillerHeavy } from './detectors/filler-heavy.ts';
import { forbiddenPhraseSaid } from './detectors/forbidden-phrase-said.ts';
import { goodbyeLoop } from './detectors/goodbye-loop.ts';
import { humanRequestIgnored } from './detectors/human-request-ignored.ts';
import { instantHangup } from './detectors/instant-hangup.ts';
import { ivrStuck } from './detectors/ivr-stuck.ts';
import { kbMiss } from './detectors/kb-miss.ts';
import { languageMismatch } from './detectors/language-mismatch.ts';
import { markupSpoken } from './detectors/markup-spoken.ts';
import { monologue } from './detectors/monologue.ts';
import { noProgress } from './detectors/no-progress.ts';
import { optOutIgnored } from './detectors/opt-out-ignored.ts';
import { placeholderSpoken } from './detectors/placeholder-spoken.ts';
import { promptLeak } from './detectors/prompt-leak.ts';
import { readbackMismatch } from './detectors/readback-mismatch.ts';
import { reaskedKnownSlot } from './detectors/reasked-known-slot.ts';
import { repeatCallSameIntent } from './detectors/repeat-call-same-intent.ts';
import { requiredPhraseMissing } from './detectors/required-phrase-missing.ts';
import { resultMisreported } from './detectors/result-misreported.ts';
import { saidAlreadyTold } from './detectors/said-already-told.ts';
import { sensitiveDataSpoken } from './detectors/sensitive-data-spoken.ts';
import { spamCall } from './detectors/spam-call.ts';
import { stepSkipped } from './detectors/step-skipped.ts';
import { sttPhantomLoop } from './detectors/stt-phantom-loop.ts';
import { testCall } from './detectors/test-call.ts';
import { toolArgsPlaceholder } from './detectors/tool-args-placeholder.ts';
import { toolCallRepeated } from './detectors/tool-call-repeated.ts';
import { toolFailed } from './detectors/tool-failed.ts';
import { toolSlow } from './detectors/tool-slow.ts';
import { voicemailTalkedTo } from './detectors/voicemail-talked-to.ts';
import { wrongNumber } from './detectors/wrong-number.ts';
import { audioDropout } from './structure/audio-dropout.ts';
import { backgroundNoise } from './structure/background-noise.ts';
import { bargeInIgnored } from './structure/barge-in-ignored.ts';
import { callerInterruptsOften } from './structure/caller-interrupts-often.ts';
import { callerTurnEmpty } from './structure/caller-turn-empty.ts';
import { capacityRefused } from './structure/capacity-refused.ts';
import { costOutlier } from './structure/cost-outlier.ts';
import { deadEndStep } from './structure/dead-end-step.ts';
import { dtmfIgnored } from './structure/dtmf-ignored.ts';
import { duplicateWrite } from './structure/duplicate-write.ts';
import { firstWordSlow } from './structure/first-word-slow.ts';
import { flowLoop } from './structure/flow-loop.ts';
import { llmSlow } from './structure/llm-slow.ts';
import { lowTranscriptConfidence } from './structure/low-transcript-confidence.ts';
import { maxDurationEnd } from './structure/max-duration-end.ts';
import { platformErrorEnd } from './structure/platform-error-end.ts';
import { silenceTimeoutEnd } from './structure/silence-timeout-end.ts';
import { speechTooFast } from './structure/speech-too-fast.ts';
import { speechTooSlow } from './structure/speech-too-slow.ts';
import { stepBlocked } from './structure/step-blocked.ts';
import { sttSlow } from './structure/stt-slow.ts';
import { talkRatioHigh } from './structure/talk-ratio-high.ts';
import { toolArgsInvalid } from './structure/tool-args-invalid.ts';
import { toolRetryStorm } from './structure/tool-retry-storm.ts';
import { transferFailed } from './structure/transfer-failed.ts';
import { ttsSlow } from './structure/tts-slow.ts';
import { turnLatencyHigh } from './structure/turn-latency-high.ts';
import { variableUnfilled } from './structure/variable-unfilled.ts';

const BY_CODE: ReadonlyMap<string, Detector> = new Map(
  [
    agentAskedToRepeat,
    agentHungUpEarly,
    agentInterruptsCaller,
    agentRepeatsLine,
    audioDropout,
    backgroundNoise,
    bargeInIgnored,
    callerAbusive,
    callerDidNotFollow,
    callerInterruptsOften,
    callerLeftMidTask,
    callerNeverHeard,
    callerRepeatedSelf,
    callerTurnEmpty,
    capacityRefused,
    claimedAfterFailure,
    claimedWithoutTool,
    closingMissing,
    correctionNotApplied,
    costOutlier,
    deadAir,
    deadEndStep,
    dtmfIgnored,
    duplicateWrite,
    factContradictsSource,
    falseBargeIn,
    fillerHeavy,
    firstWordSlow,
    flowLoop,
    forbiddenPhraseSaid,
    goodbyeLoop,
    humanRequestIgnored,
    instantHangup,
    ivrStuck,
    kbMiss,
    languageMismatch,
    llmSlow,
    lowTranscriptConfidence,
    markupSpoken,
    maxDurationEnd,
    monologue,
    noProgress,
    optOutIgnored,
    placeholderSpoken,
    platformErrorEnd,
    promptLeak,
    readbackMismatch,
    reaskedKnownSlot,
    repeatCallSameIntent,
    requiredPhraseMissing,
    resultMisreported,
    saidAlreadyTold,
    sensitiveDataSpoken,
    silenceTimeoutEnd,
    spamCall,
    speechTooFast,
    speechTooSlow,
    stepBlocked,
    stepSkipped,
    sttPhantomLoop,
    sttSlow,
    talkRatioHigh,
    testCall,
    toolArgsInvalid,
    toolArgsPlaceholder,
    toolCallRepeated,
    toolFailed,
    toolRetryStorm,
    toolSlow,
    transferFailed,
    ttsSlow,
    turnLatencyHigh,
    variableUnfilled,
    voicemailTalkedTo,
    wrongNumber,
  ].map((detector) => [detector.entry.code, detector]),
);

/** Stands for every code that takes a reader: no rule computes it. */
const LEFT_TO_A_READER: Pick<Detector, 'detect'> = {
  detect: () => ({ reason: 'Only a model that reads the call can find this, and none has read it.' }),
};

/**
 * What computes each code, in the catalogue's order. Whoever only names codes reads the catalogue, which loads none of this.
 */
export const DETECTORS: readonly Detector[] = [...CATALOGUE.values()].map((entry) => {
  const detector = entry.needs.includes('reader') ? LEFT_TO_A_READER : BY_CODE.get(entry.code);
  if (detector === undefined) throw new Error(`Nothing computes the code ${entry.code}.`);
  return { ...detector, entry };
});
