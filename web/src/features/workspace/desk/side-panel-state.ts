import { atomWithStorage } from '../../../shared/jotai.ts'

export const sidePanelTabs = ['hits', 'speakers', 'notes', 'versions'] as const
export type SidePanelTab = (typeof sidePanelTabs)[number]

interface SidePanelState {
  tab: SidePanelTab
  /** Whether the panel beside the conversation is open; on narrow screens it is a sheet that opens on demand. */
  isOpen: boolean
}

/** The tab of the side panel and whether the panel is open, stored in the browser. */
export const sidePanelAtom = atomWithStorage<SidePanelState>(
  'awaz_side_panel',
  { tab: 'hits', isOpen: true },
  undefined,
  { getOnInit: true },
)

export function isSidePanelTab(value: string | null): value is SidePanelTab {
  return sidePanelTabs.some((tab) => tab === value)
}
