/** A leaf. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path d="M27 5C13 4 6 10 6 18c0 3 1 5 2 7C11 17 16 13 22 11c-6 4-10 9-12 16l-1 1c8 1 18-4 18-23z" fill="#4b7a4a"/>
</svg>
`;
