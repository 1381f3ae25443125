import { Button, Text } from '@mantine/core'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { BatchActions } from '../batches/batch-actions.tsx'
import { AddToCase } from '../cases/add-to-case.tsx'
import classes from './selection-bar.module.css'

interface SelectionBarProps {
  selection: LibrarySelection
  count: number
  /** How much is selected, in words. */
  label: string
  onTags: () => void
  onRemove: () => void
  onClear: () => void
}

/** The actions on the selected recordings. */
export function SelectionBar({ selection, count, label, onTags, onRemove, onClear }: SelectionBarProps) {
  return (
    <section className={classes.bar} aria-label={t('Selection')}>
      <IconButton label={t('Clear selection (Esc)')} onClick={onClear}>
        <IconX size={18} stroke={1.5} />
      </IconButton>
      <Text span inherit flex={1} miw={160} fz="sm" fw={560} role="status">
        {label}
      </Text>
      <div className={classes.actions}>
        <BatchActions selection={selection} count={count} />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTag size={16} stroke={1.5} aria-hidden />}
          onClick={onTags}
        >
          {t('Tags…')}
        </Button>
        <AddToCase selection={selection} count={count} onDone={onClear} />
        <Button
          variant="default"
          size="xs"
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} stroke={1.5} aria-hidden />}
          onClick={onRemove}
        >
          {t('Delete')}
        </Button>
      </div>
    </section>
  )
}
