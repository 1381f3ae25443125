import { Menu } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link } from 'react-router-dom'
import type { LibraryRecording } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { useRowActions, type OpenedMenu } from './library-context.ts'
import classes from './row-menu.module.css'

/** The position of a closed menu. */
const nowhere = { top: 0, left: 0, width: 0, height: 0 }
const iconProps = { size: 16, stroke: 1.5 } as const

/** Opens the menu of a recording. The whole list shares one menu; one per row would be slow. */
export function RowMenuButton({ recording, tabIndex }: { recording: LibraryRecording; tabIndex: 0 | -1 }) {
  const { openMenu } = useRowActions()
  return (
    <button
      type="button"
      className={classes.button}
      tabIndex={tabIndex}
      aria-haspopup="menu"
      aria-label={t('Actions for {name}', { name: recording.name })}
      title={t('Actions')}
      onClick={(event) => openMenu({ recording, button: event.currentTarget })}
    >
      <IconDots size={18} stroke={1.5} aria-hidden />
    </button>
  )
}

/** The actions on one recording. */
export function RowMenu({ menu }: { menu: OpenedMenu | null }) {
  const actions = useRowActions()
  const recording = menu?.recording
  const { top, left, width, height } = menu?.button.getBoundingClientRect() ?? nowhere

  function close() {
    // Return the focus before the chosen action renders, since that may take it; the menu's own return comes too late.
    menu?.button.focus()
    actions.openMenu(null)
  }

  return (
    <Menu opened={menu !== null} onChange={close} position="bottom-end" returnFocus={false}>
      <Menu.Target>
        <span className={classes.place} style={{ top, left, width, height }} aria-hidden>
          {rich('Actions for {name}', { name: <Isolated>{recording?.name ?? ''}</Isolated> })}
        </span>
      </Menu.Target>
      <Menu.Dropdown>
        {recording && (
          <>
            <Menu.Item
              component={Link}
              to={`/transcribe?recording=${recording.id}`}
              leftSection={<IconExternalLink {...iconProps} />}
            >
              {t('Open')}
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil {...iconProps} />} onClick={() => actions.startRename(recording.id)}>
              {t('Rename')}
            </Menu.Item>
            <Menu.Item leftSection={<IconTag {...iconProps} />} onClick={() => actions.editTags(recording)}>
              {t('Tags…')}
            </Menu.Item>
            <Menu.Item leftSection={<IconGavel {...iconProps} />} onClick={() => actions.showHold(recording)}>
              {t('Legal hold…')}
            </Menu.Item>
            <Menu.Item leftSection={<IconHistory {...iconProps} />} onClick={() => actions.showActivity(recording)}>
              {t('Activity')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<IconTrash {...iconProps} />}
              onClick={() => actions.remove(recording)}
            >
              {t('Delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
