import { audioExtensions, defaultMaxUploadBytes } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'

/** More than anyone has on a desk; thousands at once are a folder that was selected by mistake. */
const maxFilesAtOnce = 200
const minUploadBytes = 1

/** Returns the files that can be uploaded, and why others cannot, in the words of audio-workflow specification, section 2. */
export function checkFiles(
  files: readonly File[],
  maxBytes = defaultMaxUploadBytes,
): { accepted: File[]; refusals: string[] } {
  if (files.length > maxFilesAtOnce) return { accepted: [], refusals: [t('Too many files')] }
  const checked = files.map((file) => ({ file, refusal: refusalOf(file, maxBytes) }))
  return {
    accepted: checked.filter(({ refusal }) => refusal === undefined).map(({ file }) => file),
    refusals: checked.flatMap(({ refusal }) => refusal ?? []),
  }
}

function refusalOf({ name, size }: File, maxBytes: number): string | undefined {
  if (!isAcceptedName(name)) return t('{name} is not a supported audio format', { name })
  if (size > maxBytes) return t('{name}: File is larger than {maxBytes, number, ::group-off} bytes', { name, maxBytes })
  if (size < minUploadBytes)
    return t('{name}: File is smaller than {minUploadBytes, number, ::group-off} bytes', { name, minUploadBytes })
  return undefined
}

/** Whether the name ends like one of the accepted types. */
function isAcceptedName(name: string): boolean {
  const extension = name.split('.').at(-1)?.toLowerCase()
  return audioExtensions.some((accepted) => accepted === extension)
}
