import { Group, Tabs, Text } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import IconNotes from '@tabler/icons-react/dist/esm/icons/IconNotes.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../shared/format.ts'
import { HitsPanel } from '../hits/hits-panel.tsx'
import { NotesPanel } from '../notes/notes-panel.tsx'
import { VersionsPanel } from '../versions/versions-panel.tsx'
import { useDesk } from '../state/desk-context.ts'
import { useIsOpened } from '../state/opening.tsx'
import classes from './panel-tabs.module.css'
import { isSidePanelTab, sidePanelTabs, type SidePanelTab } from './side-panel-state.ts'
import common from '../../../shared/ui/common.module.css'

const icons = { hits: IconListSearch, speakers: IconUsers, notes: IconNotes, versions: IconHistory }
const labels = { hits: t('Hits'), speakers: t('Speakers'), notes: t('Notes'), versions: t('Versions') }
const showLabels = {
  hits: t('Show Hits'),
  speakers: t('Show Speakers'),
  notes: t('Show Notes'),
  versions: t('Show Versions'),
}

/** Returns the tabs with their icons and how many entries each has; undefined where a number says nothing. */
export function usePanelTabs() {
  const { recording, hits, notes } = useDesk()
  const counts = { hits: hits.length, speakers: undefined, notes: notes.length, versions: recording.version_count }
  return sidePanelTabs.map((tab) => {
    const Icon = icons[tab]
    const count = counts[tab] || undefined
    const icon = <Icon size={18} stroke={1.5} aria-hidden />
    return { tab, label: labels[tab], showLabel: showLabels[tab], count, icon }
  })
}

interface PanelTabsProps {
  tab: SidePanelTab
  onChange: (tab: SidePanelTab) => void
  speakers: ReactNode
  /** Beside the tabs. */
  children?: ReactNode
}

/** What is found in the recording and made of it, one at a time. */
export function PanelTabs({ tab, onChange, speakers, children }: PanelTabsProps) {
  const tabs = usePanelTabs()
  const arePanelsShown = useIsOpened('panels')
  const { transcription } = useDesk()
  const hits = transcription ? (
    <HitsPanel />
  ) : (
    <Text c="dimmed" size="sm" p="md">
      {t('Keywords are listed here after the transcription.')}
    </Text>
  )
  const panels = { hits, speakers, notes: <NotesPanel />, versions: <VersionsPanel /> }
  return (
    <Tabs
      value={tab}
      onChange={(value) => isSidePanelTab(value) && onChange(value)}
      keepMounted={false}
      className={classes.tabs}
    >
      <Group gap={4} wrap="nowrap" flex="none" mih={44} pe={6} className={common.lineBelow}>
        <Tabs.List className={classes.list} aria-label={t('Panels')}>
          {tabs.map(({ tab: value, label, count }) => (
            <Tabs.Tab key={value} value={value} className={classes.tab}>
              {label}{' '}
              {count !== undefined && (
                <Text span inherit ms={6} c="dimmed" fz="xs" fw={500} className={common.figures}>
                  {formatNumber(count)}
                </Text>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {children}
      </Group>
      {sidePanelTabs.map((value) => (
        <Tabs.Panel key={value} value={value} className={classes.panel} tabIndex={-1}>
          {arePanelsShown && panels[value]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
