import { Drawer } from '@mantine/core'
import IconLayoutSidebarRightCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightCollapse.mjs'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../shared/format.ts'
import { useAtom, useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { focusedNoteAtom } from '../notes/add-note.ts'
import { PanelTabs, usePanelTabs } from './panel-tabs.tsx'
import { sidePanelAtom } from './side-panel-state.ts'
import classes from './side-panel.module.css'

/** The panels beside the conversation; closed they are a row of icons. */
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

/** The panels of a narrow screen: a row of buttons, each of which opens a sheet from below. */
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

/** Calls `onOpen` when a note asks to be written. */
function useOpenedByNote(onOpen: () => void) {
  const focusedNote = useAtomValue(focusedNoteAtom)
  const seen = useRef(focusedNote)
  useEffect(() => {
    if (focusedNote === seen.current) return
    seen.current = focusedNote
    if (focusedNote !== null) onOpen()
  }, [focusedNote, onOpen])
}
