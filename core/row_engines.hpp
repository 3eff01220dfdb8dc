// The engines of all row games: instantiated in row_engines.cpp, and declared where they are used.
// `NOUGHTS_ROW_ENGINE` is `template` there, and `extern template` here.
NOUGHTS_ROW_ENGINE std::unique_ptr<Engine> make_connect4_engine<Bits64>(const RowId&,
                                                                        const Resources&, int,
                                                                        std::string_view);
NOUGHTS_ROW_ENGINE std::unique_ptr<Engine>
make_row_engine<Bits64, GravitySolver<Bits64>, ZugzwangEvaluation>(const RowId&, const Resources&);
NOUGHTS_ROW_ENGINE std::unique_ptr<Engine> make_row_engine<Bits128, GravitySolver<Bits128>>(
    const RowId&, const Resources&);
NOUGHTS_ROW_ENGINE std::unique_ptr<Engine> make_row_engine<Bits64, RowSolver<Bits64>>(
    const RowId&, const Resources&);
NOUGHTS_ROW_ENGINE std::unique_ptr<Engine> make_row_engine<Bits128, RowSolver<Bits128>>(
    const RowId&, const Resources&);
NOUGHTS_ROW_ENGINE std::unique_ptr<Engine> make_row_engine<Wide, NoSolver, LinesEvaluation<Wide>>(
    const RowId&, const Resources&);
