import { Button, Menu } from '@mantine/core'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import type { MouseEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import classes from './system.module.css'

/** Sections by the id of their heading. */
const sections = [
  { id: 'warnings', label: t('Needs attention') },
  { id: 'state', label: t('State') },
  { id: 'checks', label: t('Checks'), isSuper: true },
  { id: 'backups', label: t('Backups'), isSuper: true },
  { id: 'engines', label: t('Engines') },
  { id: 'speech-servers', label: t('Transcription servers') },
  { id: 'translation-servers', label: t('Translation servers') },
  { id: 'mail', label: t('Mail') },
  { id: 'library', label: t('Library') },
  { id: 'versions', label: t('Versions') },
]

/** Links to the sections of a page that is long on a narrow screen, and stays in reach there. */
export function SectionMenu({ isSuper }: { isSuper: boolean }) {
  return (
    <nav className={classes.menu} aria-label={t('On this page')}>
      <Menu position="top" returnFocus={false}>
        <Menu.Target>
          <Button variant="default" radius={999} leftSection={<IconList size={18} stroke={1.5} aria-hidden />}>
            {t('On this page')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {sections
            .filter((section) => isSuper || !section.isSuper)
            .map(({ id, label }) => (
              <Menu.Item key={id} component="a" href={`#${id}`} onClick={(event) => showSection(event, id)}>
                {label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  )
}

/** Scrolls to a heading and moves the focus there, so that keyboard navigation continues from it. */
function showSection(event: MouseEvent, id: string): void {
  event.preventDefault()
  const heading = document.querySelector<HTMLElement>(`#${id}`)
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  heading.scrollIntoView({ block: 'start' })
}
