// A page of the application itself.
export default () => <p>hello</p>;
