import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { t } from '#contract/texts/t.ts'
import { toastError } from '../../../shared/toast.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useCopied } from '../../../shared/use-copied.ts'
import classes from './upkeep.module.css'

/** A command for a terminal, with a button that copies it. */
export function CommandLine({ command }: { command: string }) {
  const { isCopied, copy } = useCopied(() => toastError(t('The browser refused to copy')))
  return (
    <div className={classes.command} dir="ltr">
      <code lang="en">{command}</code>
      <IconButton label={isCopied ? t('Copied') : t('Copy the command')} onClick={() => void copy(command)}>
        {isCopied ? <IconCheck size={18} stroke={1.5} /> : <IconCopy size={18} stroke={1.5} />}
      </IconButton>
    </div>
  )
}
