import { atomWithStorage, useAtom } from '../../../shared/jotai.ts'
import { useSettings } from '../../../shared/settings.ts'
import type { LineField } from './search-lines.ts'

/** Whether the rows are in time order, or grouped by speaker. */
export type LineOrder = 'time' | 'speaker'

/** Which texts a row shows, and how. */
export type TextLayout = 'side' | 'stacked' | 'original' | 'translation'

interface StoredView {
  order: LineOrder
  layout: Exclude<TextLayout, 'translation'>
}

const storedViewAtom = atomWithStorage<StoredView>('awaz_conversation_view', { order: 'time', layout: 'side' })

interface ConversationView {
  order: LineOrder
  layout: TextLayout
  fields: readonly LineField[]
  showTimestamps: boolean
  highlightKeywords: boolean
  setOrder: (order: LineOrder) => void
  setLayout: (layout: TextLayout) => void
  change: (part: Partial<Record<'showTimestamps' | 'highlightKeywords', boolean>>) => void
}

const fieldsOf: Record<TextLayout, readonly LineField[]> = {
  side: ['original', 'translation'],
  stacked: ['original', 'translation'],
  original: ['original'],
  translation: ['translation'],
}

/** Returns how the conversation is shown: only the translation if the settings leave out the original. */
export function useConversationView({ hasTranslation }: { hasTranslation: boolean }): ConversationView {
  const [stored, setStored] = useAtom(storedViewAtom)
  const { settings, change } = useSettings()
  const layout = chooseLayout(stored.layout, { hasTranslation, showOriginal: settings.translation.showOriginal })
  const { showTimestamps, highlightKeywords } = settings.transcription
  return {
    order: stored.order,
    layout,
    fields: fieldsOf[layout],
    showTimestamps,
    highlightKeywords,
    setOrder: (order) => setStored((view) => ({ ...view, order })),
    setLayout(next) {
      if (next !== 'translation') setStored((view) => ({ ...view, layout: next }))
      change({ translation: { ...settings.translation, showOriginal: next !== 'translation' } })
    },
    change: (part) => change({ transcription: { ...settings.transcription, ...part } }),
  }
}

function chooseLayout(
  stored: StoredView['layout'],
  { hasTranslation, showOriginal }: { hasTranslation: boolean; showOriginal: boolean },
): TextLayout {
  if (!hasTranslation) return 'original'
  return showOriginal ? stored : 'translation'
}
