/** Recognizes what a spreadsheet or a program writes into a cell for a value that it could not compute. */

/** The errors of Excel, LibreOffice and Google Sheets, in English, German and French. */
const ERRORS: ReadonlySet<string> = new Set([
  ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', '#ERROR!', '#SPILL!', '#CALC!', '#FIELD!', '#GETTING_DATA'],
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#FEHLER!', '#ÜBERLAUF!', '#KALK!', '#FELD!'],
  ...['#VALEUR!', '#NOM?', '#NUL!', '#NOMBRE!', '#PROPAGATION!', '#EPARS!', '#CALCUL!', '#CHAMP!'],
  ...['NaN', 'undefined'],
]);

/** Decides whether a whole cell is an error value, or the `###` of a column that was too narrow. */
export function isSpreadsheetError(cell: string): boolean {
  const text = cell.trim();
  return ERRORS.has(text) || /^Err:\d{3}$|^#{3,}$/.test(text);
}
