import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import type { LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { AddToCaseDialog } from './add-to-case-dialog.tsx'

interface AddToCaseProps {
  selection: LibrarySelection
  /** How many recordings are selected. */
  count: number
  /** Called when the recordings have been added. */
  onDone: () => void
}

/** Adds the selected recordings to a case. */
export function AddToCase({ selection, count, onDone }: AddToCaseProps) {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        disabled={count === 0}
        leftSection={<IconBriefcase size={16} stroke={1.5} aria-hidden />}
        onClick={dialog.open}
      >
        {t('Add to case…')}
      </Button>
      <AddToCaseDialog
        selection={selection}
        count={count}
        isOpen={isOpen}
        onClose={dialog.close}
        onDone={() => {
          dialog.close()
          onDone()
        }}
      />
    </>
  )
}
