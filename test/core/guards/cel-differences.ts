/** A difference between a conformance test and the library: the expected result and the actual one, by the name of the test. */
export interface Differences {
  readonly [id: string]: readonly [expected: string, actual: string];
}

/**
 * Tests for which the library gives another value. `harmless` says why no guard is wrong by it; `refused` means that a guard with such an
 * expression is refused before any request.
 */
export const DIFFERENT_VALUES: readonly { readonly harmless: string; readonly tests: Differences }[] = [
  {
    harmless: 'no variable of a guard holds bytes',
    tests: {
      'basic/self_eval_nonzeroish/self_eval_bytes_escape': ['b"Ã¿"', 'b"ÿ"'],
      'comparisons/eq_literal/eq_bytes': ['true', 'false'],
      'comparisons/ne_literal/not_ne_bytes': ['false', 'true'],
      'conversions/string/bytes_invalid': ['error', '"\\u0000�"'],
    },
  },
  {
    harmless: 'only numbers above 2^53, which no field of the API documents has',
    tests: {
      'comparisons/lt_literal/not_lt_dyn_int_big_lossy_double': ['false', 'true'],
      'comparisons/gt_literal/not_gt_dyn_big_double_int': ['false', 'true'],
      'comparisons/lte_literal/lte_dyn_big_double_int': ['true', 'false'],
      'comparisons/gte_literal/gte_dyn_int_big_lossy_double': ['true', 'false'],
    },
  },
  {
    harmless: 'an integer does not overflow: a larger number instead of an error, which would block',
    tests: {
      'conversions/int/double_int_max_range': ['error', '9223372036854775808'],
      'conversions/int/double_int_min_range': ['error', '-9223372036854775808'],
      'conversions/int/double_range': [
        'error',
        '999999999999999967336168804116691273849533185806555472917961779471295845921727862608739868455469056',
      ],
      'conversions/uint/double_uint_max_range': ['error', '18446744073709551616'],
      'integer_math/int64_math/int64_min_negate': ['error', '9223372036854775808'],
      'integer_math/int64_math/int64_min_negate_div': ['error', '9223372036854775808'],
    },
  },
  {
    harmless: 'the name of the type of null; `== null` is what a guard writes',
    tests: {
      'conversions/type/null_type': ['type null_type', 'type null'],
      'conversions/type/null_type_denotation': ['type null_type', 'type null'],
    },
  },
  {
    harmless: 'a map that is written in the guard has null as its key',
    tests: {
      'fields/qualified_identifier_resolution/map_key_null': ['error', 'false'],
    },
  },
  {
    harmless: 'a map that is written in the guard has a key twice; the last one counts',
    tests: {
      'fields/qualified_identifier_resolution/map_value_repeat_key': ['error', '3'],
    },
  },
  {
    harmless: 'refused',
    tests: {
      'lists/in/uint_in_ints': ['true', 'false'],
      'lists/in/uint_in_doubles': ['true', 'false'],
      'lists/in/int_in_uints': ['true', 'false'],
      'lists/in/double_in_uints': ['true', 'false'],
    },
  },
  {
    harmless: 'documented: `lowerAscii` and `upperAscii` change letters of every alphabet',
    tests: {
      'string_ext/ascii_casing/lowerascii_unicode': ['true', 'false'],
      'string_ext/ascii_casing/lowerascii_unicode_with_space': ['true', 'false'],
      'string_ext/ascii_casing/upperascii_unicode': ['true', 'false'],
    },
  },
  {
    harmless: 'documented: `trim` removes what JavaScript takes for white space',
    tests: {
      'string_ext/trim/unicode_space_chars_1': ['true', 'false'],
      'string_ext/trim/unicode_no_trim': ['true', 'false'],
    },
  },
  {
    harmless: 'documented: timestamps have milliseconds',
    tests: {
      'timestamps/timestamp_arithmetic/add_time_to_duration_nanos_positive': ['true', 'false'],
      'timestamps/timestamp_range/add_duration_nanos_over': ['error', 'timestamp("9999-12-31T23:59:59.999Z")'],
      'timestamps/timestamp_range/add_duration_nanos_under': ['error', 'timestamp("0000-12-31T23:59:59.999Z")'],
      'timestamps/timestamp_range/sub_time_duration_over': ['error', 'Duration 315537897598.999986176s'],
      'timestamps/timestamp_range/sub_time_duration_under': ['error', 'Duration -3155378975980.999986176s'],
    },
  },
  {
    harmless: 'only years before 1 and after 9999, and durations of more than 10,000 years',
    tests: {
      'timestamps/timestamp_range/add_duration_under': ['error', 'timestamp("0000-12-31T23:59:59.000Z")'],
      'timestamps/timestamp_range/add_duration_over': ['error', 'timestamp("+010000-01-01T00:00:00.000Z")'],
      'timestamps/duration_range/from_string_under': ['error', 'Duration -320000000000s'],
      'timestamps/duration_range/from_string_over': ['error', 'Duration 320000000000s'],
      'timestamps/duration_range/add_under': ['error', 'Duration -400000000000s'],
      'timestamps/duration_range/add_over': ['error', 'Duration 400000000000s'],
      'timestamps/duration_range/sub_under': ['error', 'Duration -400000000000s'],
      'timestamps/duration_range/sub_over': ['error', 'Duration 400000000000s'],
    },
  },
];

/** Tests for which the library gives an error instead of a value: a guard with such an expression is refused, or blocks. */
export const ERRORS_INSTEAD_OF_VALUES: Differences = {
  'basic/variables/unbound_is_runtime_error': ['true', 'error: Unknown variable: x'],
  'basic/functions/unbound_is_runtime_error': ['true', "error: found no matching overload for 'f_unknown(int)'"],
  'comparisons/eq_literal/not_eq_list_null': [
    'false',
    "error: List elements must have the same type, expected type 'string' but found 'null'",
  ],
  'comparisons/eq_literal/eq_list_mixed_type_numbers': [
    'true',
    "error: List elements must have the same type, expected type 'double' but found 'int'",
  ],
  'comparisons/eq_literal/not_eq_list_mixed_type_numbers': [
    'false',
    "error: List elements must have the same type, expected type 'uint' but found 'int'",
  ],
  'comparisons/eq_literal/not_eq_list_length': ['false', 'error: no such overload: list<string> == list<int>'],
  'comparisons/eq_literal/not_eq_list_false_vs_types': [
    'false',
    "error: List elements must have the same type, expected type 'int' but found 'string'",
  ],
  'comparisons/eq_literal/not_eq_map_null': ['false', "error: Map value uses wrong type, expected type 'int' but found 'null'"],
  'comparisons/eq_literal/eq_map_mixed_type_numbers': ['true', "error: Map key uses wrong type, expected type 'int' but found 'uint'"],
  'comparisons/eq_literal/not_eq_map_false_vs_types': ['false', "error: Map value uses wrong type, expected type 'int' but found 'string'"],
  'comparisons/eq_literal/eq_mixed_types': ['true', 'error: no such overload: double == int'],
  'comparisons/eq_literal/eq_list_elem_mixed_types': ['true', 'error: no such overload: list<int> == list<double>'],
  'comparisons/eq_literal/eq_map_value_mixed_types': ['false', "error: Map key uses wrong type, expected type 'string' but found 'int'"],
  'comparisons/eq_literal/not_eq_list_elem_null': [
    'false',
    "error: List elements must have the same type, expected type 'int' but found 'null'",
  ],
  'comparisons/eq_literal/not_eq_map_value_null': ['false', "error: Map value uses wrong type, expected type 'string' but found 'null'"],
  'comparisons/ne_literal/ne_mixed_types': ['false', 'error: no such overload: uint != int'],
  'comparisons/lt_literal/lt_bytes': ['true', 'error: no such overload: bytes < bytes'],
  'comparisons/lt_literal/not_lt_bytes_same': ['false', 'error: no such overload: bytes < bytes'],
  'comparisons/lt_literal/not_lt_bytes_width': ['false', 'error: no such overload: bytes < bytes'],
  'comparisons/gt_literal/not_gt_double': ['false', 'error: Unexpected token: DOT'],
  'comparisons/gt_literal/gt_bytes_one': ['true', 'error: no such overload: bytes > bytes'],
  'comparisons/gt_literal/gt_bytes_one_to_empty': ['true', 'error: no such overload: bytes > bytes'],
  'comparisons/gt_literal/not_gt_bytes_sorting': ['false', 'error: no such overload: bytes > bytes'],
  'comparisons/lte_literal/lte_bytes_empty': ['true', 'error: no such overload: bytes <= bytes'],
  'comparisons/lte_literal/not_lte_bytes_length': ['false', 'error: no such overload: bytes <= bytes'],
  'comparisons/gte_literal/gte_bytes_to_empty': ['true', 'error: no such overload: bytes >= bytes'],
  'comparisons/gte_literal/not_gte_bytes_empty_to_nonempty': ['false', 'error: no such overload: bytes >= bytes'],
  'comparisons/gte_literal/gte_bytes_samelength': ['false', 'error: no such overload: bytes >= bytes'],
  'comparisons/in_list_literal/elem_in_mixed_type_list': [
    'true',
    "error: List elements must have the same type, expected type 'int' but found 'string'",
  ],
  'comparisons/in_list_literal/elem_in_mixed_type_list_cross_type': [
    'false',
    "error: List elements must have the same type, expected type 'uint' but found 'string'",
  ],
  'comparisons/in_map_literal/key_in_mixed_key_type_map': [
    'true',
    "error: Map key uses wrong type, expected type 'int' but found 'string'",
  ],
  'comparisons/in_map_literal/key_in_mixed_key_type_map_cross_type': [
    'false',
    "error: Map key uses wrong type, expected type 'uint' but found 'int'",
  ],
  'comparisons/bound/bytes_gt_left_false': ['false', 'error: \\u not allowed in bytes literals'],
  'conversions/dyn/dyn_heterogeneous_list': [
    'type list',
    "error: List elements must have the same type, expected type 'int' but found 'string'",
  ],
  'conversions/int/uint': ['42', "error: found no matching overload for 'int(uint)'"],
  'conversions/int/uint_zero': ['0', "error: found no matching overload for 'int(uint)'"],
  'conversions/int/uint_max_exact': ['9223372036854775807', "error: found no matching overload for 'int(uint)'"],
  'conversions/int/timestamp': ['1095379199', "error: found no matching overload for 'int(google.protobuf.Timestamp)'"],
  'conversions/identity/duration': ['true', "error: found no matching overload for 'duration(google.protobuf.Duration)'"],
  'conversions/identity/timestamp': ['true', "error: found no matching overload for 'timestamp(google.protobuf.Timestamp)'"],
  'fields/map_fields/map_key_int64': ['true', "error: Map value uses wrong type, expected type 'int' but found 'bool'"],
  'fields/map_fields/map_key_uint64': ['"happy"', "error: Map value uses wrong type, expected type 'uint' but found 'string'"],
  'fields/map_fields/map_key_mixed_type': ['1', "error: Map key uses wrong type, expected type 'bool' but found 'int'"],
  'fields/map_fields/map_key_mixed_numbers_double_key': ['3.0', "error: Map key uses wrong type, expected type 'uint' but found 'int'"],
  'fields/map_fields/map_key_mixed_numbers_uint_key': ['2.0', "error: Map key uses wrong type, expected type 'uint' but found 'int'"],
  'fields/map_fields/map_key_mixed_numbers_int_key': ['1.0', "error: Map key uses wrong type, expected type 'uint' but found 'int'"],
  'fields/map_fields/map_value_mix_type': [
    '{"k": "v"}',
    "error: Map value uses wrong type, expected type 'map<string, string>' but found 'list<int>'",
  ],
  'fields/map_has/has': ['true', 'error: has() invalid argument'],
  'fields/map_has/has_not': ['false', 'error: has() invalid argument'],
  'fields/map_has/has_empty': ['false', 'error: has() invalid argument'],
  'fields/quoted_map_fields/field_access_slash': ['true', 'error: Unexpected character: `'],
  'fields/quoted_map_fields/field_access_dash': ['true', 'error: Unexpected character: `'],
  'fields/quoted_map_fields/field_access_dot': ['32', 'error: Unexpected character: `'],
  'fields/quoted_map_fields/has_field_slash': ['false', 'error: Unexpected character: `'],
  'fields/quoted_map_fields/has_field_dash': ['true', 'error: Unexpected character: `'],
  'fields/quoted_map_fields/has_field_dot': ['true', 'error: Unexpected character: `'],
  'fields/in/mixed_numbers_and_keys_present': ['true', "error: Map key uses wrong type, expected type 'int' but found 'uint'"],
  'fields/in/mixed_numbers_and_keys_absent': ['false', "error: Map key uses wrong type, expected type 'int' but found 'uint'"],
  'lists/index/zero_based_uint': ['7', 'error: No such key: 0'],
  'logic/conditional/mixed_type': ['"cows"', "error: Ternary branches must have the same type, got 'string' and 'int'"],
  'logic/AND/short_circuit_type_left': ['false', "error: Logical operator requires bool operands, got 'int'"],
  'logic/AND/short_circuit_type_right': ['false', "error: Logical operator requires bool operands, got 'string'"],
  'logic/OR/short_circuit_type_left': ['true', "error: Logical operator requires bool operands, got 'int'"],
  'logic/OR/short_circuit_type_right': ['true', "error: Logical operator requires bool operands, got 'string'"],
  'macros/exists/list_elem_type_shortcircuit': [
    'true',
    "error: List elements must have the same type, expected type 'int' but found 'string'",
  ],
  'macros/exists/list_elem_type_exhaustive': [
    'false',
    "error: List elements must have the same type, expected type 'int' but found 'string'",
  ],
  'macros/exists/map_key_type_shortcircuit': ['true', "error: Map key uses wrong type, expected type 'string' but found 'int'"],
  'macros/exists/map_key_type_exhaustive': ['true', "error: Map key uses wrong type, expected type 'string' but found 'int'"],
  'macros/all/list_elem_type_shortcircuit': [
    'false',
    "error: List elements must have the same type, expected type 'int' but found 'string'",
  ],
  'macros/all/list_empty': ['true', 'error: undefined'],
  'macros/exists_one/map_one': ['true', "error: Variable 'foo' is not of type 'int', got 'string'"],
  'parse/nest/funcall': ['7', "error: found no matching overload for 'int(uint)'"],
  'parse/bytes_literals/raw_single_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\\" \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '''",
  ],
  'parse/bytes_literals/raw_double_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\' \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '\"'",
  ],
  'parse/bytes_literals/raw_triple_single_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\\" \\\\\' \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '''",
  ],
  'parse/bytes_literals/raw_triple_double_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\\" \\\\\' \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '\"'",
  ],
  'parse/bytes_literals/upper_raw_single_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\\" \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '''",
  ],
  'parse/bytes_literals/upper_raw_double_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\' \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '\"'",
  ],
  'parse/bytes_literals/upper_raw_triple_single_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\\" \\\\\' \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '''",
  ],
  'parse/bytes_literals/upper_raw_triple_double_quoted_escapes': [
    'b" \\\\\\\\ \\\\? \\\\\\" \\\\\' \\\\` \\\\a \\\\b \\\\f \\\\t \\\\v \\\\n \\\\r \\\\000 \\\\x00 \\\\X00 \\\\u0000 \\\\U00000000 "',
    "error: Unexpected character: '\"'",
  ],
  'parse/receiver_function_names/as': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/break': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/const': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/continue': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/else': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/for': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/function': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/if': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/import': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/let': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/loop': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/package': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/namespace': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/return': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/var': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/void': ['true', 'error: Unknown variable: a'],
  'parse/receiver_function_names/while': ['true', 'error: Unknown variable: a'],
  'plumbing/check_inputs/skip_check': [
    '[17, "pancakes"]',
    "error: List elements must have the same type, expected type 'int' but found 'string'",
  ],
  'timestamps/timestamp_conversions/toInt_timestamp': [
    '1234567890',
    "error: found no matching overload for 'int(google.protobuf.Timestamp)'",
  ],
  'timestamps/timestamp_conversions/toString_timestamp': [
    '"2009-02-13T23:31:30Z"',
    "error: found no matching overload for 'string(google.protobuf.Timestamp)'",
  ],
  'timestamps/timestamp_conversions/toString_timestamp_nanos': [
    '"9999-12-31T23:59:59.999999999Z"',
    "error: found no matching overload for 'string(google.protobuf.Timestamp)'",
  ],
  'timestamps/duration_conversions/toString_duration': [
    '"1000000s"',
    "error: found no matching overload for 'string(google.protobuf.Duration)'",
  ],
  'timestamps/timestamp_arithmetic/add_time_to_duration': [
    'true',
    'error: no such overload: google.protobuf.Duration == google.protobuf.Timestamp',
  ],
};
