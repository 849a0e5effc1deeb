"""Accounting reports: jackpot history, meters, deposits, reconciliation, master games, recall, and activity.

They read only the ledger, one event at a time, and list the events that they are based on.
"""

from cardroom.reports.accounting.activity import activity_report
from cardroom.reports.accounting.chain_reader import PeriodBooks, open_room_books
from cardroom.reports.accounting.day_book import day_book
from cardroom.reports.accounting.export import (
    csv_pieces,
    json_pieces,
    refuse_report_file,
    report_pdf,
    report_pdf_source,
    write_report,
)
from cardroom.reports.accounting.game_recall import recall_report
from cardroom.reports.accounting.history import history_report
from cardroom.reports.accounting.jackpot_bank_deposits import deposits_report
from cardroom.reports.accounting.jackpot_meters import meters_report
from cardroom.reports.accounting.master_games import master_report
from cardroom.reports.accounting.reconciliation import reconciliation_report
from cardroom.reports.accounting.report import (
    AccountingReport,
    BadRecall,
    BadReportFile,
    NoSuchDay,
    ReportSection,
    ReportTooLong,
    SectionText,
    section_texts,
)
from cardroom.reports.accounting.slip import (
    Slip,
    claim_slips,
    claim_slips_pdf_source,
    refuse_slip_file,
    slips_json,
    slips_pdf,
    write_slips,
)
from cardroom.reports.documents.blocks import Signatures
from cardroom.room.setup.calendar import BadDay, Calendar, Period, open_calendar, open_period

__all__ = [
    "AccountingReport",
    "BadDay",
    "BadRecall",
    "BadReportFile",
    "Calendar",
    "NoSuchDay",
    "Period",
    "PeriodBooks",
    "ReportSection",
    "ReportTooLong",
    "SectionText",
    "Signatures",
    "Slip",
    "activity_report",
    "claim_slips",
    "claim_slips_pdf_source",
    "csv_pieces",
    "day_book",
    "deposits_report",
    "history_report",
    "json_pieces",
    "master_report",
    "meters_report",
    "open_calendar",
    "open_period",
    "open_room_books",
    "recall_report",
    "reconciliation_report",
    "refuse_report_file",
    "refuse_slip_file",
    "report_pdf",
    "report_pdf_source",
    "section_texts",
    "slips_json",
    "slips_pdf",
    "write_report",
    "write_slips",
]
