import { atomWithStorage } from '../../../shared/jotai.ts'

export const sidePanelTabs = ['hits', 'speakers', 'notes', 'versions'] as const
export type SidePanelTab = (typeof sidePanelTabs)[number]

interface SidePanelState {
  tab: SidePanelTab
  /** Beside the conversation; on narrow screens the panel is a sheet that opens on demand. */
  isOpen: boolean
}

/** The tab of the side panel and whether it is open, remembered by the browser. */
export const sidePanelAtom = atomWithStorage<SidePanelState>(
  'awaz_side_panel',
  { tab: 'hits', isOpen: true },
  undefined,
  { getOnInit: true },
)

export function isSidePanelTab(value: string | null): value is SidePanelTab {
  return sidePanelTabs.some((tab) => tab === value)
}
