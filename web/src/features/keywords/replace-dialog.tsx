import { Button, Modal, Table, Text } from '@mantine/core'
import { keywordCategories, keywordCategoryNames, type Keywords } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../shared/format.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'

interface ReplaceDialogProps {
  /** The lists of the file; null while none was chosen. */
  uploaded: Keywords | null
  current: Keywords
  onReplace: (keywords: Keywords) => void
  onClose: () => void
}

/** Asks before a file replaces all lists, and shows how many keywords that costs. */
export function ReplaceDialog({ uploaded, current, onReplace, onClose }: ReplaceDialogProps) {
  return (
    <Modal opened={uploaded !== null} onClose={onClose} title={t('Replace all keywords?')}>
      <Text mb="md">{t('The file replaces the keywords of all four categories.')}</Text>
      <Table mb="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Category')}</Table.Th>
            <Table.Th ta="end">{t('Now')}</Table.Th>
            <Table.Th ta="end">{t('In the file')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keywordCategories.map((category) => (
            <Table.Tr key={category}>
              <Table.Th scope="row">{keywordCategoryNames[category].name}</Table.Th>
              <Table.Td ta="end">{formatNumber(current[category].length)}</Table.Td>
              <Table.Td ta="end">{formatNumber(uploaded?.[category].length ?? 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <DialogActions onCancel={onClose} gap="md">
        <Button onClick={() => uploaded && onReplace(uploaded)}>{t('Replace')}</Button>
      </DialogActions>
    </Modal>
  )
}
