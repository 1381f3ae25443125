import { Modal, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { CaseRetention } from '#contract/retention.ts'
import { t } from '#contract/texts/t.ts'
import { useCases } from '../cases/use-cases.ts'
import { RetentionDaysField } from './retention-days-field.tsx'
import { SaveWithPreview } from './save-with-preview.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import common from '../../shared/ui/common.module.css'

interface CaseDaysDialogProps {
  /** Null while the dialog is closed; without a row, the user chooses the case. */
  changed: { row?: CaseRetention } | null
  onClose: () => void
}

const defaultDays = 90

/** Sets the days of a case, and first says what would be deleted. */
export function CaseDaysDialog({ changed, onClose }: CaseDaysDialogProps) {
  return (
    <Modal opened={changed !== null} onClose={onClose} title={t('Days of a case')}>
      {changed && <CaseDaysForm {...changed} onClose={onClose} />}
    </Modal>
  )
}

function CaseDaysForm({ row, onClose }: { row?: CaseRetention; onClose: () => void }) {
  const [caseId, setCaseId] = useState(row?.case.id ?? null)
  const [days, setDays] = useState<number | null>(row?.days ?? defaultDays)
  return (
    <Stack>
      {row ? (
        <Text fw={560} inherit className={common.wrap}>
          <Isolated>{row.case.name}</Isolated>
        </Text>
      ) : (
        <CaseSelect value={caseId} onChange={setCaseId} />
      )}
      <RetentionDaysField
        label={t('Recordings of the case are kept')}
        noneLabel={t('As without the case')}
        value={days}
        onChange={setDays}
      />
      {caseId !== null && (
        <SaveWithPreview
          change={{ caseId, days }}
          query={{ case: caseId, case_days: days ?? 'none' }}
          onClose={onClose}
        />
      )}
    </Stack>
  )
}

function CaseSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const [search, setSearch] = useState('')
  const found = useCases({ scope: 'all', search, page: 1 }).data?.cases ?? []
  return (
    <Select
      label={t('Case')}
      placeholder={t('Search by name')}
      searchable
      data-autofocus
      data={found.map(({ id, name, owner }) => ({
        value: id,
        label: `\u2068${name}\u2069 · \u2068${owner.name}\u2069`,
      }))}
      // The server has already filtered them.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      onSearchChange={(typed) => setSearch(found.some(({ name }) => typed.includes(name)) ? '' : typed)}
      nothingFoundMessage={t('No case has this name')}
    />
  )
}
