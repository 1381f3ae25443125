/** The catalogue entry of an exported model, beside its files. */
export const exportedEntryName = 'awaz-model.json'
