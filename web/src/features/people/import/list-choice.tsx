import { Anchor, Button, Code, Group, Text, Textarea } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import '@mantine/dropzone/styles.css'
import { useRef, useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { downloadFile } from '../../../shared/download.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import uploadClasses from '../../../shared/uploads/uploads.module.css'
import classes from '../people.module.css'
import { maxCsvLength, readCsvFile } from './read-csv-file.ts'
import type { CsvSource } from './use-import.ts'

/** A template to fill in: the header that the import reads, and rows that show what may be left out. */
const csvTemplate = [
  'email,first_name,last_name,role',
  'zarghuna@example.org,Zarghuna,Ana,user',
  'leila@example.org,Leila,Ahmadi,admin',
  'no-name@example.org,,,',
  '',
].join('\r\n')

interface ListChoiceProps {
  onChosen: (source: CsvSource) => void
  onClose: () => void
}

/** Accepts a list of people: a chosen or dropped file, or pasted text. */
export function ListChoice({ onChosen, onClose }: ListChoiceProps) {
  const [problem, setProblem] = useState<string>()
  const [pasted, setPasted] = useState('')

  async function read(file: File | undefined) {
    if (!file) return
    try {
      onChosen({ name: file.name, csv: await readCsvFile(file) })
    } catch (error) {
      setProblem(`${file.name}: ${error instanceof Error ? error.message : t('The file could not be read')}`)
    }
  }

  return (
    <>
      <Text size="sm" c="dimmed">
        {rich(
          'One person a line, below a header. {email} is all that is needed; {firstName}, {lastName} and {role} ({user} or {admin}) are optional.',
          {
            email: <Code>email</Code>,
            firstName: <Code>first_name</Code>,
            lastName: <Code>last_name</Code>,
            role: <Code>role</Code>,
            // As written in the file.
            user: 'user',
            admin: 'admin',
          },
        )}{' '}
        <Anchor
          component="button"
          type="button"
          inherit
          underline="always"
          onClick={() => downloadFile('awaz-people.csv', csvTemplate, 'text/csv;charset=utf-8')}
        >
          {t('Download a template')}
        </Anchor>
      </Text>
      <FileTarget onFile={(file) => void read(file)} />
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <Textarea
        label={t('Or paste the list')}
        placeholder={'email,first_name,last_name,role\nzarghuna@example.org,Zarghuna,Ana,user'}
        rows={5}
        maxLength={maxCsvLength}
        spellCheck={false}
        dir="ltr"
        classNames={{ input: classes.code ?? '' }}
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button disabled={pasted.trim() === ''} onClick={() => onChosen({ name: t('Pasted list'), csv: pasted })}>
          {t('Check the list')}
        </Button>
      </div>
    </>
  )
}

/** Accepts one file, dropped or chosen. */
function FileTarget({ onFile }: { onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Dropzone
        // Accepts any dropped file: systems report the type of a CSV file in many ways, or not at all.
        onDropAny={(accepted, rejected) => onFile(accepted[0] ?? rejected[0]?.file)}
        onDrop={() => undefined}
        multiple={false}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        className={`${uploadClasses.drop} ${classes.drop}`}
        tabIndex={-1}
        inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      >
        <Group gap="md" justify="center" className={classes.dropInner}>
          <IconFileSpreadsheet size={28} stroke={1.5} aria-hidden />
          <div>
            <Text fw={620}>{t('Drop a CSV file here')}</Text>
            <Text size="sm" c="dimmed">
              {t('As Excel, LibreOffice or a directory exports it, at most 1 MB.')}
            </Text>
          </div>
          <Button
            variant="default"
            leftSection={<IconUpload size={16} stroke={1.5} />}
            data-autofocus
            onClick={() => input.current?.click()}
          >
            {t('Choose file')}
          </Button>
        </Group>
      </Dropzone>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        aria-label={t('CSV file of people')}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          // Choosing the same file again, after correcting it, must fire an event too.
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
