/** Why nothing is imported from a folder until a person corrects something; the message is a sentence that says what. */
export class FolderProblem extends Error {}
