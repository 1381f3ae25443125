import type { DiarizationResult } from '#contract/entities/job.ts'
import { joinLines } from '#contract/progress-text.ts'
import type { ModelProvenance } from '#contract/provenance.ts'
import type { Segment, TranscriptionResult, Word } from '#contract/transcription.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import type { Database } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { diarizationKey, transcriptionKey } from '#data/jobs/work-keys.ts'
import { insertRecording, type NewRecording } from '#data/recordings/recordings.ts'
import { storeWaveform, type Waveform } from '#data/recordings/waveforms.ts'
import { createTalk, type Talk, type TalkLanguage } from './long-call-words.ts'
import { storeFinishedJob } from './stored-work.ts'

/** A 60-minute call has 1,538 lines. */
const linesPerMinute = 1538 / 60

interface LongCallOptions {
  minutes: number
  /** Languages of the left and the right channel. Default Pashto and English. */
  languages?: [TalkLanguage, TalkLanguage]
  /** Language that the call is translated into. Default English. */
  targetLanguage?: TalkLanguage
  /** Default 1; equal seeds give equal calls. */
  seed?: number
  /** Overrides fields of the stored recording, such as `id` if its file is already in the store. */
  recording?: Partial<NewRecording>
}

/**
 * Stores a recording of two speakers with a finished transcription, translation and diarization, without a file. The words are drawn by
 * Zipf's law; their times and confidences vary as they would from a model.
 */
export async function storeLongCall(
  { connection }: Pick<Database, 'connection'>,
  ownerId: string,
  { minutes, languages = ['ps', 'en'], targetLanguage = 'en', seed = 1, recording }: LongCallOptions,
): Promise<{ recordingId: string; transcriptionId: string }> {
  const queue = openQueue(connection)
  const { id: recordingId } = await insertRecording(connection, {
    id: newId(),
    ownerId,
    name: `Call of ${minutes} minutes.mp3`,
    extension: 'mp3',
    sizeBytes: minutes * 960_000,
    sha256: 'none',
    durationMs: minutes * 60_000,
    channels: 2,
    isStereo: true,
    peaks: [0, 1].map(() => Array.from({ length: 50 }, (_, bar) => ((bar * 37) % 100) / 100)),
    ...recording,
  })
  const transcriptionId = newId()
  const talk = createTalk(seed)
  const transcription = { ...makeLongTranscription(talk, { minutes, languages }), transcription_id: transcriptionId }
  await storeWaveform(connection, ownerId, recordingId, makeWaveform(talk, transcription, minutes))
  const separation = { speakerCount: null, splitVoices: [] }
  const choice = { language: languages[0], channelLanguages: [...languages] }
  const noModel = { model: null }
  const owner = { ownerId, recordingId }
  await storeFinishedJob(queue, {
    ...owner,
    id: transcriptionId,
    params: { kind: 'transcribe', ...choice, ...separation, names: [] },
    workKey: transcriptionKey(recordingId, { ...choice, ...separation, ...noModel, names: [] }),
    outcome: { result: transcription, languages: [...new Set(languages)] },
  })
  await storeFinishedJob(queue, {
    ...owner,
    params: {
      kind: 'translate',
      sourceId: null,
      transcriptionId,
      sourceLanguage: 'auto',
      targetLanguage,
      context: null,
    },
    workKey: `translate:${transcriptionId}:${targetLanguage}:`,
    targetLanguage,
    outcome: {
      result: makeLongTranslation(talk, { transcription, languages, targetLanguage }),
      languages: [...new Set([...languages, targetLanguage])],
    },
  })
  await storeFinishedJob(queue, {
    ...owner,
    params: { kind: 'diarize', hasText: true, ...choice, transcriptionId },
    workKey: diarizationKey(recordingId, { ...choice, ...noModel, transcriptionId }, separation),
    outcome: { result: makeLongDialogue(transcription), languages: [...new Set(languages)] },
  })
  return { recordingId, transcriptionId }
}

/** Returns bar heights that are low except where somebody speaks. */
function makeWaveform(talk: Talk, { segments }: Pick<TranscriptionResult, 'segments'>, minutes: number): Waveform {
  const binMs = 20
  const channels = [0, 1].map(() => new Uint8Array((minutes * 60_000) / binMs).fill(6))
  for (const { start, end, channel = 0 } of segments) {
    for (let bin = Math.floor((start * 1000) / binMs); bin < (end * 1000) / binMs; bin += 1) {
      const heights = channels[channel]
      if (heights) heights[bin] = 60 + Math.floor(talk.random() * 150)
    }
  }
  return { binMs, channels }
}

/** Returns the transcription of a call in which two speakers take turns. */
export function makeLongTranscription(
  talk: Talk,
  { minutes, languages }: { minutes: number; languages: [TalkLanguage, TalkLanguage] },
): TranscriptionResult {
  const count = Math.round(minutes * linesPerMinute)
  const lineMs = (minutes * 60_000) / count
  const segments = Array.from({ length: count }, (_, index): Segment => {
    const channel = talk.random() < 0.5 ? 0 : 1
    const startMs = Math.round(index * lineMs + talk.random() * 300)
    const words = makeWords(talk, { startMs, endMs: Math.round((index + 0.97) * lineMs), language: languages[channel] })
    const doubt = words.reduce((sum, { confidence = 0 }) => sum + confidence, 0) / words.length
    return {
      start: startMs / 1000,
      end: words.at(-1)?.end ?? startMs / 1000,
      text: words.map(({ text }) => text).join(' '),
      confidence: Math.round(doubt * 100) / 100,
      words,
      speaker: `Speaker ${channel === 0 ? 'A' : 'B'}`,
      channel,
    }
  })
  const speakers = languages.map((language, channel) => {
    const own = segments.filter((segment) => segment.channel === channel)
    return {
      speaker: `Speaker ${channel === 0 ? 'A' : 'B'}`,
      channel,
      transcription: joinLines(own),
      segment_count: own.length,
      detected_language: language,
      language_probability: 0.93,
      segments: own,
    }
  })
  return {
    transcription_id: null,
    transcription: joinLines(segments),
    detected_language: languages[0],
    language_probability: 0.93,
    num_speakers: 2,
    segments,
    speaker_transcriptions: speakers,
    speaker_separation: { by: 'channels' },
    duration: minutes * 60,
    model: 'long-call',
    provenance: [provenance('long-call', 'whisper.cpp')],
    warnings: [],
  }
}

/** Returns enough words to fill a line, with pauses between some of them. */
function makeWords(
  talk: Talk,
  { startMs, endMs, language }: { startMs: number; endMs: number; language: TalkLanguage },
): Word[] {
  const texts = talk.sentence(language)
  const letters = texts.join('').length
  let atMs = startMs
  return texts.map((text) => {
    const fullMs = ((endMs - startMs) * text.length) / letters
    const spokenMs = Math.max(1, Math.round(fullMs * (0.75 + talk.random() * 0.25)))
    const word = { text, start: atMs / 1000, end: (atMs + spokenMs) / 1000, confidence: talk.confidence() }
    atMs += talk.random() < 0.6 ? spokenMs : Math.round(fullMs)
    return word
  })
}

/** Returns a translation that leaves lines already in the target language unchanged. */
export function makeLongTranslation(
  talk: Talk,
  options: {
    transcription: TranscriptionResult
    languages: [TalkLanguage, TalkLanguage]
    targetLanguage: TalkLanguage
  },
): TranslationResult {
  const { transcription, languages, targetLanguage } = options
  const lines = transcription.segments.map(({ start, end, text, channel = 0 }): TranslatedSegment => {
    const isTarget = languages[channel] === targetLanguage
    return { start, end, text, translated_text: isTarget ? text : talk.sentence(targetLanguage).join(' '), error: null }
  })
  const speakers = transcription.speaker_transcriptions.map(({ speaker, channel }) => {
    const own = lines.filter((_, index) => transcription.segments[index]?.channel === channel)
    return { speaker, translated_text: joinTranslations(own), error: null, segments: own }
  })
  return {
    translated_text: lines.map(({ translated_text: text }) => text).join('\n'),
    original_text: transcription.transcription,
    source_language: languages[0],
    target_language: targetLanguage,
    num_speakers: 2,
    speaker_translations: speakers,
    segments: lines,
    model: 'long-call-translation',
    provenance: [provenance('long-call-translation', 'llama.cpp')],
    via: null,
  }
}

function joinTranslations(lines: TranslatedSegment[]): string {
  return lines.map(({ translated_text: text }) => text).join(' ')
}

/** Returns the dialogue of a transcription. */
export function makeLongDialogue({ segments, transcription_id }: TranscriptionResult): DiarizationResult {
  return {
    num_speakers: 2,
    ...(transcription_id !== null && { transcription_id }),
    dialogue_timeline: segments.map(({ speaker = '', start, text }) => ({ speaker, timestamp: start, text })),
  }
}

function provenance(id: string, engine: string): ModelProvenance {
  return {
    model_id: id,
    model_name: id,
    model_hash: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
    engine,
    engine_version: '1.0.0',
    settings: { beam_size: 5, temperature: 0 },
    created_at: '2026-01-01T12:00:00.000Z',
  }
}
