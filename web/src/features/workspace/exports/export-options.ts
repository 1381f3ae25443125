import { z } from 'zod'
import { doubtChoices } from '#contract/formats/lines.ts'
import { atomWithStorage, useAtom } from '../../../shared/jotai.ts'

/** What exported files contain. */
const ExportOptions = z.object({
  hasTranslation: z.boolean().default(true),
  hasHits: z.boolean().default(true),
  hasNotes: z.boolean().default(true),
  /** Whether models, settings and hashes are listed at the end. */
  hasFacts: z.boolean().default(true),
  doubt: z.enum(doubtChoices).default('none'),
})
export type ExportOptions = z.infer<typeof ExportOptions>

const defaultOptions = ExportOptions.parse({})

const storage = {
  getItem(key: string, initial: ExportOptions): ExportOptions {
    try {
      return ExportOptions.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null')).data ?? initial
    } catch {
      return initial
    }
  },
  setItem: (key: string, value: ExportOptions) => localStorage.setItem(key, JSON.stringify(value)),
  removeItem: (key: string) => localStorage.removeItem(key),
}

const exportOptionsAtom = atomWithStorage('awaz_export_options', defaultOptions, storage, { getOnInit: true })

/** Returns what files should contain, as stored in this browser, and a setter for parts of it. */
export function useExportOptions() {
  const [options, setOptions] = useAtom(exportOptionsAtom)
  const change = (part: Partial<ExportOptions>) => setOptions((current) => ({ ...current, ...part }))
  return { options, change }
}
