;;; glossator.el --- Explains code, answers questions, checks conventions  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools, convenience
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Glossator is a language server.  It explains the function at point, answers questions about the
;; workspace, and checks a team's written conventions on every save.
;;
;; Set it up for Eglot or for lsp-mode, in the init file:
;;
;;     (require 'glossator)
;;     (glossator-eglot-setup)        ; or (glossator-lsp-mode-setup)
;;
;; then M-x eglot or M-x lsp in a file as usual, and M-x glossator-explain.  `glossator-command-map'
;; has all commands, for a key of yours:
;;
;;     (global-set-key (kbd "C-c g") glossator-command-map)
;;
;; This file holds the commands.  `glossator-eglot' and `glossator-lsp-mode' join them to the two
;; clients, each by a few methods.

;;; Code:

(require 'cl-lib)
(require 'easymenu)
(require 'subr-x)
(require 'glossator-server)
(require 'glossator-answer)
(require 'glossator-chat)
(require 'glossator-sessions)

(autoload 'glossator-eglot-setup "glossator-eglot" "Let Eglot use Glossator." t)
(autoload 'glossator-lsp-mode-setup "glossator-lsp-mode" "Let lsp-mode use Glossator." t)

(defconst glossator-version "0.1.0"
  "Of this package; a server of the same major and minor version fits it.")

;;;; Commands that are answered

(defun glossator--target-here (server)
  "Return the target of SERVER here, or say that there is none."
  (or (glossator-target server)
      (user-error "%s" (glossator-say "There is no file here; go to one"
                                      "此处没有文件；请转到一个文件"))))

;;;###autoload
(defun glossator-explain ()
  "Explain the function at point, or what is selected."
  (interactive)
  (let ((server (glossator-server)))
    (glossator-show-command server "glossator.explain" (glossator--target-here server)
                            (glossator-say "Explain" "解释"))))

;;;###autoload
(defun glossator-explain-problem ()
  "Explain what any server or linter reports on this line.
Where there is more than one, you choose."
  (interactive)
  (let* ((server (glossator-server))
         (uri (plist-get (glossator--target-here server) :uri))
         (problem (glossator--choose-problem (glossator-problems server))))
    (glossator-show-command server "glossator.explainProblem" (list :uri uri :diagnostic problem)
                            (glossator-say "Explain this problem" "解释此问题"))))

(defun glossator--choose-problem (problems)
  "Return the only one of PROBLEMS, or the one that is chosen."
  (cond ((null problems)
         (user-error "%s" (glossator-say "Nothing is reported on this line" "此行没有报告的问题")))
        ((null (cdr problems)) (car problems))
        (t (let ((titles (mapcar (lambda (each)
                                   (cons (format "%s: %s" (plist-get each :source)
                                                 (glossator--one-line (plist-get each :message) 100))
                                         each))
                                 problems)))
             (cdr (assoc (completing-read (glossator-say "Explain: " "解释：") titles nil t)
                         titles))))))

;;;###autoload
(defun glossator-call-chain (&optional depth)
  "Show callers and callees of the function at point.
DEPTH, the prefix argument, is how far."
  (interactive "P")
  (let ((server (glossator-server)))
    (glossator-show-command server "glossator.callChain"
                            (append (glossator--target-here server)
                                    (and depth (list :depth (prefix-numeric-value depth))))
                            (glossator-say "Call chain" "调用链"))))

;;;###autoload
(defun glossator-ask (question)
  "Ask QUESTION about the workspace.
Questions follow one another in a conversation, see `glossator-chat'."
  (interactive (list (read-string (glossator-say "Ask Glossator: " "向 Glossator 提问："))))
  (let ((server (glossator-server)))
    (glossator-ask-question server question (glossator-target server))))

;;;###autoload
(defun glossator-explain-package (folder)
  "Explain what is in FOLDER and how it works together."
  (interactive "DExplain folder: ")
  (glossator-ask-turn (glossator-server) "glossator.analyze"
                      (list :task "package" :path (directory-file-name (expand-file-name folder)))
                      (concat (glossator-say "Explain " "解释 ") (abbreviate-file-name folder))))

;;;###autoload
(defun glossator-review-changes (&optional revision)
  "Review what changed since the last commit.
With a prefix argument, since REVISION."
  (interactive (list (and current-prefix-arg
                          (read-string (glossator-say "Review changes since: " "评审此后的改动：")))))
  (glossator-ask-turn (glossator-server) "glossator.analyze"
                      (append (list :task "change") (and revision (list :revision revision)))
                      (glossator-say "Review changes" "评审改动")))

;;;###autoload
(defun glossator-stop ()
  "Stop the answer that is arriving."
  (interactive)
  (unless (glossator-stop-running)
    (glossator-tell (glossator-say "nothing is running" "没有正在进行的回答"))))

;;;###autoload
(defun glossator-show-answer ()
  "Show the last answer again."
  (interactive)
  (if (get-buffer "*glossator*")
      (pop-to-buffer "*glossator*")
    (glossator-tell (glossator-say "there is no answer yet" "还没有回答"))))

;;;; Other commands

;;;###autoload
(defun glossator-new-session ()
  "Begin a new conversation."
  (interactive)
  ;; The session itself begins with its first question: one without any would not outlive the server.
  (glossator-begin-conversation (glossator-server))
  (glossator-tell (glossator-say "a new conversation begins" "新的对话开始了")))

;;;###autoload
(defun glossator-check (&optional all)
  "Check this file's conventions.
With a prefix argument ALL, check those of every open file."
  (interactive "P")
  (glossator-execute-and
   "glossator.check"
   (unless all
     (list :uri (or (glossator-buffer-uri)
                    (user-error "%s" (glossator-say "There is no file here" "此处没有文件")))))
   (lambda (result _server)
     (glossator-tell "%s" (string-join (mapcar #'glossator--describe-check
                                               (plist-get result :documents))
                                       "; ")))))

;;;###autoload
(defun glossator-fix ()
  "Repair the finding at point."
  (interactive)
  (glossator-choose-action (glossator-server) "quickfix.glossator"))

;;;###autoload
(defun glossator-ignore ()
  "Ignore the finding at point: by a comment, or in the baseline."
  (interactive)
  (glossator-choose-action (glossator-server) "quickfix.glossator.ignore"))

;;;###autoload
(defun glossator-rebuild-index ()
  "Read knowledge, skills and rules again."
  (interactive)
  (glossator-execute-and
   "glossator.rebuildIndex" nil
   (lambda (result _server)
     (glossator-tell (glossator-say
                      "read again: %d documents, %d skills, %d rules, %d problem(s)"
                      "已重新读取：%d 篇文档，%d 个技能，%d 条规则，%d 个问题")
                     (plist-get result :nDocuments) (plist-get result :nSkills)
                     (plist-get result :nRules) (length (plist-get result :problems))))))

;;;###autoload
(defun glossator-trust (&optional no-longer)
  "Trust this workspace from now on; with a prefix argument, NO-LONGER."
  (interactive "P")
  (glossator-execute-and
   "glossator.trustWorkspace" (list :trusted (if no-longer :json-false t))
   (lambda (result _server)
     (glossator-tell (glossator-say "this workspace is %s. %s" "此工作区%s。%s")
                     (if (equal (plist-get result :trust) "trusted")
                         (glossator-say "trusted" "受信任")
                       (glossator-say "not trusted" "不受信任"))
                     (plist-get result :message)))))

;;;###autoload
(defun glossator-why (&optional question)
  "Say what is used for this file, what is not, and why.
With a prefix argument, say exactly what a model would be given for QUESTION."
  (interactive (list (and current-prefix-arg
                          (read-string (glossator-say "What would be asked: " "会问什么：")))))
  (glossator-execute-and
   "glossator.why"
   (append (when-let ((uri (glossator-buffer-uri))) (list :uri uri))
           (list :question (or question "")))
   (lambda (result server)
     (glossator-show-text (plist-get result :title) (plist-get result :markdown) server))))

;;;###autoload
(defun glossator-search (question)
  "Rank what the knowledge has on QUESTION."
  (interactive (list (read-string (glossator-say "Search the knowledge: " "搜索知识："))))
  (glossator-execute-and
   "glossator.search" (list :question question)
   (lambda (result server)
     (glossator-show-text (plist-get result :title) (plist-get result :markdown) server))))

;;;###autoload
(defun glossator-figures (&optional charts)
  "Show figures: tokens, costs, latencies, verdicts.
With a prefix argument CHARTS, show them as a page in the browser."
  (interactive "P")
  (glossator-execute-and
   "glossator.stats" '(:open :json-false)
   (lambda (result server)
     (if (not charts)
         (glossator-show-text (glossator-say "Figures" "统计") (plist-get result :markdown) server)
       (let ((page (make-temp-file "glossator-figures" nil ".html")))
         (with-temp-file page (insert (plist-get result :html)))
         (browse-url-of-file page))))))

;;;###autoload
(defun glossator-doctor ()
  "Run `glossator doctor' for this workspace and show the result.
The program is the one of `glossator-command'."
  (interactive)
  (unless (equal "lsp" (car (last glossator-command)))
    (user-error "%s" (glossator-say "`glossator-command' does not end with \"lsp\": run \
`glossator doctor' in a terminal" "`glossator-command' 不以 \"lsp\" 结尾：请在终端运行 \
`glossator doctor'")))
  (let* ((server (glossator-server))
         (root (car (glossator-roots server)))
         (buffer (generate-new-buffer " *glossator doctor*")))
    (make-process
     :name "glossator-doctor" :buffer buffer :noquery t
     ;; For a terminal it would be coloured.
     :connection-type 'pipe
     :command (append (butlast glossator-command) (list "doctor") (and root (list "--root" root)))
     :sentinel (lambda (process _event)
                 (unless (process-live-p process)
                   (glossator-show-text "glossator doctor"
                                        (with-current-buffer buffer (buffer-string)) server)
                   (kill-buffer buffer))))))

;;;###autoload
(defun glossator-restart ()
  "Start the server of this buffer again."
  (interactive)
  (glossator-stop-running)
  (glossator-restart-server (glossator-server)))

;;;###autoload
(defun glossator-status ()
  "Show server, model, knowledge, workspace and problems."
  (interactive)
  (glossator-execute-and
   "glossator.status"
   (when-let ((uri (glossator-buffer-uri))) (list :uri uri))
   (lambda (status server)
     (glossator-show-text "Glossator" (glossator--describe-status status) server))))

(defun glossator--describe-check (document)
  "Say what the check of DOCUMENT found."
  (pcase (plist-get document :outcome)
    ("clean" (format (glossator-say "%s is clean (%d rules)" "%s 没有问题（%d 条规则）") (plist-get document :path)
                     (plist-get document :nRules)))
    ("findings" (format (glossator-say "%d finding(s) in %s" "%d 个问题，位于 %s") (plist-get document :nFindings)
                        (plist-get document :path)))
    (_ (format (glossator-say "%s was not checked: %s" "%s 未检查：%s") (plist-get document :path)
               (plist-get document :reason)))))

(defun glossator--describe-rules (document)
  "Say what the check of DOCUMENT found, and which rules that rests on."
  (concat
   (glossator--describe-check document)
   (format (glossator-say "; %d rule(s) checked, %d judged"
                          "；检查了 %d 条规则，由模型判断 %d 条") (plist-get document :nRules)
           (plist-get document :nJudged))
   (mapconcat (lambda (skipped)
                (format (glossator-say ", %d left out: %s" "，略过 %d 条：%s") (length (plist-get skipped :ruleIds))
                        (plist-get skipped :reason)))
              (plist-get document :skipped) "")))

(defun glossator--describe-age (at)
  "Say how long ago AT was, in milliseconds since 1970."
  (if (not (numberp at))
      ""
    (let ((minutes (floor (- (float-time) (/ at 1000.0)) 60)))
      (cond ((< minutes 1) (glossator-say "; updated just now" "；刚刚更新"))
            ((< minutes 60) (format (glossator-say "; updated %d min ago" "；%d 分钟前更新") minutes))
            (t (format-time-string (glossator-say "; updated at %H:%M" "；更新于 %H:%M") (seconds-to-time (/ at 1000.0))))))))

(defun glossator--describe-status (status)
  "Return STATUS as Markdown."
  (let ((model (plist-get status :model))
        (index (plist-get status :index))
        (workspace (plist-get status :workspace))
        (problems (append (plist-get status :problems) nil))
        (checks (and (= 1 (length (plist-get status :checks))) (plist-get status :checks))))
    (concat
     (and checks (format (glossator-say "- **Check** %s\n"
                            "- **检查** %s\n") (glossator--describe-rules (aref checks 0))))
     (format (glossator-say "- **Server** %s\n"
                            "- **服务器** %s\n") (plist-get status :version))
     (if (eq t (plist-get model :configured))
         (format (glossator-say "- **Model** `%s` at %s (from %s)\n"
                            "- **模型** `%s`，位于 %s（来自 %s）\n") (plist-get model :name)
                 (plist-get model :endpoint) (plist-get model :source))
       (format (glossator-say "- **Model** none. %s\n"
                            "- **模型** 无。%s\n") (plist-get model :message)))
     (if (eq t (plist-get index :ready))
         (format (glossator-say "- **Knowledge** %d documents (%d sections), %d skills, %d rules%s\n"
                            "- **知识** %d 篇文档（%d 个章节），%d 个技能，%d 条规则%s\n")
                 (plist-get index :nDocuments) (plist-get index :nSections)
                 (plist-get index :nSkills) (plist-get index :nRules)
                 (glossator--describe-age (plist-get index :updatedAt)))
       (glossator-say "- **Knowledge** being read\n" "- **知识** 正在读取\n"))
     (format (glossator-say "- **Workspace** %s (%s)\n"
                            "- **工作区** %s（%s）\n") (string-join (plist-get workspace :roots) ", ")
             (if (eq t (plist-get workspace :trusted)) (glossator-say "trusted" "受信任")
               (glossator-say "not trusted" "不受信任")))
     (and problems
          (concat (glossator-say "\n**Problems**\n\n" "\n**问题**\n\n")
                  (mapconcat (lambda (problem) (concat "- " problem)) problems "\n"))))))

;;;; Keys, menu, mode line

(defvar glossator-command-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,key . ,command)
                   '(("e" . glossator-explain) ("x" . glossator-explain-problem)
                     ("c" . glossator-call-chain) ("a" . glossator-ask)
                     ("g" . glossator-chat) ("+" . glossator-attach) ("s" . glossator-stop)
                     ("l" . glossator-list-sessions) ("n" . glossator-new-session)
                     ("p" . glossator-explain-package) ("r" . glossator-review-changes)
                     ("k" . glossator-check) ("f" . glossator-fix) ("i" . glossator-ignore)
                     ("w" . glossator-why) ("/" . glossator-search) ("$" . glossator-figures)
                     ("d" . glossator-doctor) ("?" . glossator-status) ("t" . glossator-trust)
                     ("RET" . glossator-show-answer)))
      (define-key map (kbd key) command))
    map)
  "All commands of Glossator, to be put on a key of yours.")
(fset 'glossator-command-map glossator-command-map)

(defvar glossator-mode-map (make-sparse-keymap)
  "Keys of `glossator-mode'; it has none of its own, only the menu.")

(easy-menu-define glossator-menu glossator-mode-map
  "Menu of Glossator."
  '("Glossator"
    ["Explain" glossator-explain :help "The function at point, or what is selected"]
    ["Explain This Problem" glossator-explain-problem :help "What any server reports on this line"]
    ["Call Chain" glossator-call-chain]
    ["Ask..." glossator-ask]
    ["Chat" glossator-chat]
    ["Attach to the Next Question" glossator-attach]
    ["Stop" glossator-stop :active glossator-running]
    "---"
    ["Explain Folder..." glossator-explain-package]
    ["Review Changes" glossator-review-changes]
    "---"
    ["Check This File" glossator-check]
    ["Fix the Finding Here" glossator-fix]
    ["Ignore the Finding Here" glossator-ignore]
    ["Why Is This (Not) Used?" glossator-why]
    ["Search the Knowledge..." glossator-search]
    "---"
    ["Sessions" glossator-list-sessions]
    ["New Conversation" glossator-new-session]
    ["Figures" glossator-figures]
    "---"
    ["Status" glossator-status]
    ["Doctor" glossator-doctor]
    ["Trust This Workspace" glossator-trust]
    ["Restart the Server" glossator-restart]
    ["Customize" (customize-group 'glossator)]))

;;;###autoload
(define-minor-mode glossator-mode
  "Glossator's menu, and what it does at the moment in the mode line.
It comes by itself in buffers whose client has started Glossator."
  :lighter (:eval (glossator-mode-line))
  :keymap glossator-mode-map)

(provide 'glossator)
;;; glossator.el ends here
