import { Button, Text } from '@mantine/core'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { t } from '#contract/texts/t.ts'
import { BackupCodeList } from './backup-codes.tsx'
import classes from './two-factor.module.css'

/** A paper list of single-use codes, which is the whole second factor. Only the list is printed, wherever it is shown. */
export function PrintedCodes({ codes }: { codes: string[] }) {
  return (
    <>
      <Text>
        {t(
          'Print this list and keep it apart from your password. Each sign-in asks for one of its codes, in any order; cross it out once you have used it. The list is not shown again.',
        )}
      </Text>
      <div className={classes.printed}>
        <BackupCodeList codes={codes} label={t('Printed codes')} />
      </div>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />}
        className={classes.start}
        onClick={() => window.print()}
      >
        {t('Print')}
      </Button>
    </>
  )
}
