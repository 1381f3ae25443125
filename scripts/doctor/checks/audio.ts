import { join } from 'node:path'
import { t } from '#contract/texts/t.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { audioFolder, openAudioStore } from '#data/audio-store/open-audio-store.ts'
import { findAudioStoreProblem } from '#data/audio-store/store-mark.ts'
import { hashStoredAudio } from '#data/health/hash-stored-audio.ts'
import { listStoredAudio, type StoredAudio } from '#data/health/stored-audio.ts'
import { findNamedRecordings } from '#data/health/named-recordings.ts'
import { countOrphans, reconcileAudioStore } from '#data/recordings/reconcile-audio-store.ts'
import { amountTexts, listSome } from '#server/features/system/state/amount-texts.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { drawSample } from '../../backup/draw-sample.ts'
import { findingsOf, type Finding } from '../finding.ts'

const restoreCommand = 'npm run awaz -- restore FILE --recording ID'
const restoreHelp =
  'npm run awaz -- restore FILE --recording ID restores the sound of one recording from a backup, --all-damaged in its place that of every one, while Awaz runs (docs/backup.md, "One recording").'
const findings = {
  'audio.folder': {
    severity: 'problem',
    title: 'DATA_DIR/audio is not the folder in which the server keeps recordings',
    why: 'Recordings seem to be lost, and engines refuse to work.',
    remedy: 'Mount the right folder, or share DATA_DIR/audio between the hosts (docs/scale-out.md).',
  },
  'audio.missing': {
    severity: 'problem',
    title: 'Recordings have no sound file',
    why: 'They can be neither played nor transcribed.',
    remedy: restoreHelp,
    command: restoreCommand,
  },
  'audio.size': {
    severity: 'problem',
    title: 'Sound files have another size than what was uploaded',
    why: 'They are cut short, or were changed.',
    remedy: restoreHelp,
    command: restoreCommand,
  },
  'audio.damaged': {
    severity: 'problem',
    title: 'Sound files are not what was uploaded, by their SHA-256',
    why: 'The disk lost bits, or somebody changed the file: it is no evidence any more.',
    remedy:
      'npm run awaz -- doctor --all checks every file. npm run awaz -- restore FILE --recording ID restores the sound of one recording from a backup, --all-damaged in its place that of every one, while Awaz runs (docs/backup.md, "One recording").',
    command: restoreCommand,
  },
  'audio.orphans': {
    severity: 'warning',
    title: 'Sound files without a recording',
    why: 'A crash between file and database leaves them; after a restore of an older database they may be wanted.',
    remedy:
      'npm run awaz -- doctor --fix puts them aside in DATA_DIR/audio/orphans; so does a restart. Nothing is deleted.',
    command: 'npm run awaz -- doctor --fix',
  },
  'audio.quarantined': {
    severity: 'note',
    title: 'Sound files were put aside in DATA_DIR/audio/orphans',
    why: 'They belong to no recording and take room.',
    remedy: 'Import what you want to keep, then delete the files in that folder.',
  },
} as const

const finding = findingsOf(findings)
/** Number of files hashed without --all. */
const sampleSize = 20
/** Maximum number of recordings that a finding names. */
const maxNamed = 20

/** Compares recordings with their audio files, in both directions, and checks hashes of files. */
export const audioCheck: Check<DatabaseContext> = { name: 'sound files', findings, run }

async function run(context: DatabaseContext): Promise<Finding[]> {
  const { config, connection } = context
  const problem = await findAudioStoreProblem(connection, audioFolder(config))
  if (problem !== null) return [finding('audio.folder', problem)]
  const store = await openAudioStore(config, connection)
  return [...(await checkFiles(context, store)), ...(await checkOrphans(context, store))]
}

async function checkFiles(context: DatabaseContext, store: AudioStore): Promise<Finding[]> {
  const { connection, signal, isThorough, onProgress } = context
  const missing: string[] = []
  const resized: string[] = []
  const whole: StoredAudio[] = []
  for await (const audio of listStoredAudio(connection)) {
    signal.throwIfAborted()
    const size = await store.size(audio)
    if (size === null) missing.push(audio.id)
    else if (size !== audio.sizeBytes) resized.push(audio.id)
    else whole.push(audio)
  }
  const damaged: string[] = []
  const sample = isThorough ? whole : drawSample(whole, sampleSize)
  for (const [index, audio] of sample.entries()) {
    signal.throwIfAborted()
    onProgress(index, sample.length)
    const sha256 = await hashStoredAudio(store, audio)
    if (sha256 !== undefined && sha256 !== audio.sha256) damaged.push(audio.id)
  }
  const gone = await stillThere(context, missing)
  const count = ({ length }: string[]) => amountTexts.recordings(length)
  const name = async (ids: string[]) => ({
    recordings: await findNamedRecordings(connection, ids.slice(0, maxNamed)),
  })
  const found: Finding[] = []
  if (gone.length > 0)
    found.push(
      finding('audio.missing', `The sound of ${count(gone)} (${listSome(gone)}) is missing.`, await name(gone)),
    )
  if (resized.length > 0)
    found.push(
      finding(
        'audio.size',
        `The sound of ${count(resized)} (${listSome(resized)}) has another size than what was uploaded.`,
        await name(resized),
      ),
    )
  if (damaged.length > 0)
    found.push(
      finding(
        'audio.damaged',
        t('The sound of {1} ({2}) is not what was uploaded. Of {4, number} files {3, number} were hashed.', {
          1: count(damaged),
          2: listSome(damaged),
          3: sample.length,
          4: whole.length,
        }),
        await name(damaged),
      ),
    )
  return found
}

/** Leaves out recordings that have been deleted in the meantime. */
async function stillThere({ connection }: DatabaseContext, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return ids
  const there = new Set<string>()
  for await (const { id } of listStoredAudio(connection)) there.add(id)
  return ids.filter((id) => there.has(id))
}

async function checkOrphans(
  { config, connection, isFixing }: DatabaseContext,
  audioStore: AudioStore,
): Promise<Finding[]> {
  const isFolder = config.audioStore === 'folder'
  const [where, whereAside] = isFolder
    ? [audioFolder(config), join(audioFolder(config), 'orphans')]
    : ['GridFS', 'GridFS']
  const stores = { connection, audioStore }
  const orphans = await countOrphans(stores)
  const found: Finding[] = []
  if (orphans > 0) {
    const fixed = isFixing
      ? `Put aside in ${whereAside}: ${amountTexts.files((await reconcileAudioStore(stores)).orphans)}.`
      : undefined
    found.push(finding('audio.orphans', `Without a recording in ${where}: ${amountTexts.files(orphans)}.`, { fixed }))
  }
  const aside = await audioStore.countQuarantined()
  if (aside > 0) found.push(finding('audio.quarantined', `Found in ${whereAside}: ${amountTexts.files(aside)}.`))
  return found
}
