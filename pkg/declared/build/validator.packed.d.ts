// The validator's module as a text: base64 of gzip.
declare const packed: string;
export default packed;
