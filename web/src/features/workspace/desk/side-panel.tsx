import { Drawer, Group, Tabs, Text } from '@mantine/core'
import IconLayoutSidebarRightCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightCollapse.mjs'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import IconNotes from '@tabler/icons-react/dist/esm/icons/IconNotes.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../shared/format.ts'
import { useAtom, useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import common from '../../../shared/ui/common.module.css'
import { focusedNoteAtom } from '../notes/add-note.ts'
import { HitsPanel } from '../hits/hits-panel.tsx'
import { NotesPanel } from '../notes/notes-panel.tsx'
import { VersionsPanel } from '../versions/versions-panel.tsx'
import { useDesk } from '../state/desk-context.ts'
import { useIsOpened } from '../state/opening.tsx'
import { sidePanelAtom, isSidePanelTab, sidePanelTabs, type SidePanelTab } from './side-panel-state.ts'
import classes from './side-panel.module.css'

const icons = { hits: IconListSearch, speakers: IconUsers, notes: IconNotes, versions: IconHistory }
const labels = { hits: t('Hits'), speakers: t('Speakers'), notes: t('Notes'), versions: t('Versions') }
const showLabels = {
  hits: t('Show Hits'),
  speakers: t('Show Speakers'),
  notes: t('Show Notes'),
  versions: t('Show Versions'),
}

/** The panels beside the conversation; when closed, a row of icons. */
export function SidePanel({ speakers }: { speakers: ReactNode }) {
  const [panel, setPanel] = useAtom(sidePanelAtom)
  const tabs = usePanelTabs()
  useOpenedByNote(() => setPanel({ tab: 'notes', isOpen: true }))
  if (!panel.isOpen) {
    return (
      <nav aria-label={t('Panels')} className={classes.rail}>
        {tabs.map(({ tab, showLabel, icon }) => (
          <IconButton key={tab} label={showLabel} size="lg" onClick={() => setPanel({ tab, isOpen: true })}>
            {icon}
          </IconButton>
        ))}
      </nav>
    )
  }
  return (
    <aside aria-label={t('Panels')} className={classes.side}>
      <PanelTabs tab={panel.tab} onChange={(tab) => setPanel({ tab, isOpen: true })} speakers={speakers}>
        <IconButton label={t('Hide the panels')} onClick={() => setPanel({ ...panel, isOpen: false })}>
          <IconLayoutSidebarRightCollapse size={20} stroke={1.5} />
        </IconButton>
      </PanelTabs>
    </aside>
  )
}

/** The panels on a narrow screen: a row of buttons, each of which opens a sheet from the bottom. */
export function PanelSheets({ speakers }: { speakers: ReactNode }) {
  const [panel, setPanel] = useAtom(sidePanelAtom)
  const [isOpen, setIsOpen] = useState(false)
  const tabs = usePanelTabs()
  useOpenedByNote(() => {
    setPanel({ ...panel, tab: 'notes' })
    setIsOpen(true)
  })
  return (
    <>
      <nav aria-label={t('Panels')} className={classes.bar}>
        {tabs.map(({ tab, label, count, icon }) => (
          <button
            key={tab}
            type="button"
            className={classes.barButton}
            onClick={() => {
              setPanel({ ...panel, tab })
              setIsOpen(true)
            }}
          >
            {icon}
            <span>
              {label}
              {count !== undefined && ` ${formatNumber(count)}`}
            </span>
          </button>
        ))}
      </nav>
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        position="bottom"
        size="75%"
        title={t('Panels')}
        classNames={{ content: classes.sheet ?? '', body: classes.sheetBody ?? '', header: classes.sheetHead ?? '' }}
      >
        <PanelTabs tab={panel.tab} onChange={(tab) => setPanel({ ...panel, tab })} speakers={speakers} />
      </Drawer>
    </>
  )
}

/** Calls `onOpen` when a note is to be written. */
function useOpenedByNote(onOpen: () => void) {
  const focusedNote = useAtomValue(focusedNoteAtom)
  const seen = useRef(focusedNote)
  useEffect(() => {
    if (focusedNote === seen.current) return
    seen.current = focusedNote
    if (focusedNote !== null) onOpen()
  }, [focusedNote, onOpen])
}

/** Returns the tabs with their icons and entry counts; undefined where a count would be meaningless. */
function usePanelTabs() {
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
  /** Shown beside the tabs. */
  children?: ReactNode
}

/** The panels with findings and results of the recording, one at a time. */
function PanelTabs({ tab, onChange, speakers, children }: PanelTabsProps) {
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
