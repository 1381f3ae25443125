import { beforeAll, describe, expect, test } from 'vitest'
import { buildReport } from '#contract/formats/report.ts'
import type { TranscriptDocument } from '#contract/formats/transcript-document.ts'
import type { LoadedTexts } from '#contract/texts/t.ts'
import { speak } from '#contract/texts/speak.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { formatTranscript } from '#contract/transcript-formats.ts'
import { englishWords, listEnglishTexts, loadPseudoLanguage } from '#testing/pseudo-language.ts'
import type { RenderedMail } from './features/mail/templates/layout.ts'
import * as account from './features/mail/templates/account-mails.ts'
import * as address from './features/mail/templates/address-mails.ts'
import * as alerts from './features/mail/templates/alert-mails.ts'
import * as cases from './features/mail/templates/case-mails.ts'
import * as integrations from './features/mail/templates/integration-mails.ts'
import * as invitations from './features/mail/templates/invitation-mail.ts'
import * as libraries from './features/mail/templates/library-mails.ts'
import * as organisations from './features/mail/templates/organisation-sign-in.ts'
import * as warnings from './features/mail/templates/warning-mails.ts'

// All text that the server writes for people, in a pseudo-language without ASCII letters; the test data is in Arabic script.

let pseudo: LoadedTexts
beforeAll(async () => {
  pseudo = await loadPseudoLanguage()
})

const nadia = { firstName: 'نادیه', username: 'nadia' }
const url = 'https://awaz.example.org/page'
const [owner, actor, email] = ['owner@example.org', 'actor@example.org', 'new@example.org']
const at = new Date('2026-11-26T18:05:00Z')
const counts = { waiting: 0, running: 0, done: 3, failed: 1, skipped: 2, cancelled: 0 }
const quote = { recording: 'ضبط', watchList: 'فهرست', timeMs: 61_000, speaker: 'احمد', sentence: 'پل' }
const reasons = ['password', 'address', 'two_factor'] as const

type Modules = Record<string, (...args: never[]) => { render: () => RenderedMail }>
const modules = { ...account, ...address, ...alerts, ...cases, ...integrations, ...invitations, ...libraries }
const templates = { ...modules, ...organisations, ...warnings }

/** Each template with arguments for every form it can take. */
const mails: { [Name in keyof typeof templates]: Parameters<(typeof templates)[Name]>[] } = {
  verificationMail: [[nadia, { publicUrl: url, token: 'abc' }]],
  passwordResetMail: [[nadia, { publicUrl: url, token: 'abc', code: '012345' }]],
  twoFactorChangedMail: (['enable', 'disable', 'backup_codes', 'passkey_added', 'passkey_removed'] as const).map(
    (event) => [nadia, event],
  ),
  jobEndedMail: (['transcribe', 'translate'] as const).flatMap((kind) =>
    [true, false].map((isDone): [typeof nadia, { kind: typeof kind; isDone: boolean; url: string }] => [
      nadia,
      { kind, isDone, url },
    ]),
  ),
  batchEndedMail: [
    [nadia, { counts, url }],
    [nadia, { counts: { ...counts, failed: 0 }, url }],
  ],
  securityAlertsOffMail: [[nadia]],
  testMail: [[{ language: 'fa' }]],
  passwordChangedMail: [[nadia]],
  addressChangeMail: [[nadia, { email, effectiveAt: at, url }]],
  emailChangedMail: [[nadia, { email }]],
  alertDigestMail: [
    [nadia, { alertCount: 2, recordingCount: 1, quotes: [], url }],
    [nadia, { alertCount: 2, recordingCount: 2, quotes: [quote, { ...quote, speaker: null }], url }],
  ],
  caseMemberAddedMail: [[nadia, { added: email, actor, url }]],
  apiKeyCreatedMail: (['read', 'write'] as const).map((scope) => [nadia, { scope, expiresAt: at }]),
  webhookSwitchedOffMail: [[nadia, { host: '192.0.2.1', url }]],
  invitationMail: [[{ firstName: '', inviterName: 'سمیر', days: 3, expiresAt: at, url }]],
  libraryClosedMail: reasons.flatMap((reason) => [
    [nadia, { reason }],
    [nadia, { reason, email }],
  ]),
  libraryClosedNotice: reasons.map((reason) => [nadia, { owner, actor, reason }]),
  libraryOpenedMail: [true, false].map((byAdmin) => [nadia, { byAdmin, email }]),
  libraryOpenedNotice: (['password', 'code', 'passkey', 'provider', undefined] as const).flatMap((proof) => [
    [nadia, { owner, actor, proof, restoredEmail: undefined }],
    [nadia, { owner, actor, proof, restoredEmail: email }],
  ]),
  organisationSignInMail: [[nadia, { url }]],
  instanceWarningMail: [1, 2].map((count) => [
    nadia,
    {
      url,
      warnings: Array.from({ length: count }, () => ({
        code: 'sign_ins_fail',
        severity: 'warning',
        title: '120 sign-ins failed within an hour',
        remedy: 'Renew it, or check that it is renewed by itself (certbot renew --dry-run).',
      })),
    },
  ]),
}

describe('a mail has no English left', () => {
  test.each(Object.keys(templates) as (keyof typeof templates)[])('%s', (name) => {
    expect(mails[name].length).toBeGreaterThan(0)
    for (const values of mails[name]) {
      const template = (templates as unknown as Modules)[name]?.(...(values as unknown as never[]))
      const mail = template && speak(pseudo, template.render)
      expect(englishWords(`${mail?.subject}\n${mail?.text}\n${mail?.html}`)).toEqual([])
    }
  })
})

const words = [
  { text: 'پل', start: 0, end: 1, confidence: 0.1 },
  { text: 'ته', start: 1, end: 2, confidence: 0.9 },
]
const segments = ['پل ته', 'ځم', 'هو', 'نه'].map((text, index) => ({
  start: index * 10,
  end: index * 10 + 5,
  text,
  speaker: index % 2 === 0 ? 'Speaker A' : 'Speaker B',
  channel: index % 2,
  confidence: index === 0 ? 0.2 : 0.9,
  ...(index === 0 && { words }),
}))
const provenance = [
  {
    model_id: '۱',
    model_name: 'مدل',
    model_hash: '12'.repeat(32),
    engine: '۲',
    engine_version: '1.9',
    settings: {},
    created_at: '2026-01-02T03:04:05.000Z',
  },
]
const bleed = {
  code: 'bleed',
  message: 'Left out: only the voice of the other channel is heard there (bleed).',
  channel: 0,
}
const repeated = 'The translation model repeated the text instead of translating it.'
const document: TranscriptDocument = {
  name: 'ضبط',
  exported_at: '2026-02-03T04:05:06.000Z',
  audio: { sha256: '12'.repeat(32), size: 1, duration: 8, uploaded_at: '2026-01-01T00:00:00.000Z' },
  version: { transcription_id: '1', number: 2, count: 3, finished_at: null },
  edited_lines: [{ start: 30, end: 35, text: 'نه', written_text: 'نی' }],
  transcription: {
    transcription_id: null,
    transcription: '',
    detected_language: 'ps',
    language_probability: 0.9,
    num_speakers: 2,
    segments,
    speaker_transcriptions: ['Speaker A', 'Speaker B', 'Speaker C'].map((speaker, channel) => ({
      speaker,
      channel,
      transcription: '',
      segment_count: 1,
      detected_language: channel === 0 ? 'ps' : null,
      language_probability: channel === 0 ? 0.9 : null,
      segments: segments.filter((segment) => segment.speaker === speaker),
    })),
    duration: 60,
    model: 'demo',
    warnings: [
      { code: 'no_speech', message: 'No speech was found on this channel.', channel: 2 },
      ...[0, 10, 20, 30].map((start) => ({ ...bleed, start, end: start + 1 })),
    ],
    provenance,
  },
  translation: {
    translated_text: '',
    original_text: '',
    source_language: 'ps',
    target_language: 'ur',
    num_speakers: 2,
    speaker_translations: [],
    segments: segments.map(({ start, end, text }, index) => ({
      start,
      end,
      text: index === 3 ? 'نی' : text,
      translated_text: index === 0 || index === 3 ? 'پل' : '',
      error: [null, 'There are no translation servers.', repeated, null][index] ?? null,
      ...(index === 2 && { not_translated: { reason: 'empty' as const } }),
    })),
    model: 'demo',
    via: 'en',
    provenance,
  },
  notes: [
    { time: 1, text: '', line: null },
    { time: 2, text: '', line: { text: 'پل' } },
  ] as unknown as NonNullable<TranscriptDocument['notes']>,
}

describe('what is written around a transcript has no English left', () => {
  test.each(['txt', 'dialogue', 'srt', 'vtt'] as const)('in %s', (format) => {
    for (const doubt of ['none', 'mark', 'only'] as const) {
      const file = speak(pseudo, () => formatTranscript(format, document, doubt))
      const own = file
        .replace(/^WEBVTT$/m, '')
        .replace(/^NOTE$/m, '')
        .replaceAll(/<\/?v\b/g, ' ')
      expect(englishWords(own)).toEqual([])
    }
  })

  test('of which there is nothing', () => {
    const silent = { ...document.transcription, segments: [], speaker_transcriptions: [] }
    for (const format of ['txt', 'dialogue'] as const) {
      const file = speak(pseudo, () => formatTranscript(format, { ...document, transcription: silent }, 'only'))
      expect(englishWords(file)).toEqual([])
    }
  })

  test('as a report, for Word and for print', () => {
    const report = speak(pseudo, () => buildReport(document, { doubt: 'mark', find: null }))
    const { facts, cautions, rows, languages, targetLanguage } = report
    const shown = [facts, languages, targetLanguage?.name, rows.map(({ speaker }) => speaker)]
    const said = speak(pseudo, () => cautions.map(translateSentence))
    const values = JSON.stringify([shown, said], (key, value: unknown) =>
      ['label', 'lines'].includes(key) ? [value] : value,
    ).replaceAll(/"(?:label|lines)":/g, '')
    expect(englishWords(values)).toEqual([])
  })
})

test('every sentence that the server throws or stores is found again, with values and without', async () => {
  const found = (await listEnglishTexts()).flatMap((text) => {
    const written = text.replaceAll(/\{\d+\}/g, '۱').replaceAll(/'([{}<])'/g, '$1')
    if (/[{}<|]/.test(written)) return []
    const said = speak(pseudo, () => translateSentence(written))
    return englishWords(said).length > 0 ? [written] : []
  })
  expect(found).toEqual([])
})
